import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { projectRoot } from '../src/environment/project-root.ts';
import { startBroken, titled } from '../src/testing/monitor/watched-service.ts';
import { temporaryFolder } from '../src/testing/own-folder.ts';
import { launchChromium } from '../src/testing/programs/chromium.ts';
import { ran } from '../src/testing/programs/run-command.ts';

// Takes the pictures in docs/ from real runs against the reference service: `sextant-node tools/screenshots.ts`.
const BLOCK = 'block, then list, then unblock';
const monitored = [
  ...[BLOCK, 'love, then unlove', 'two users love one story', 'two languages have their own options', 'clone type'],
  ...['update profile, then read it back', 'evaluate a flag that exists', 'evaluate a flag with default'],
];
const { path: folder, end: remove } = temporaryFolder();
const browser = await launchChromium();

async function open(url: string, [width, height]: readonly [number, number], colorScheme: 'light' | 'dark' = 'light') {
  const page = await browser.newPage({ viewport: { width, height }, colorScheme });
  await page.goto(url);
  return page;
}

async function take(page: Page, name: string) {
  const path = join(projectRoot, 'docs', `${name}.png`);
  await page.screenshot({ path });
  process.stdout.write(`${path}\n`);
}

const monitor = await startBroken(await titled(monitored), 3);
for (const [width, height, colorScheme] of [
  [1280, 800, 'light'],
  [1280, 800, 'dark'],
  [390, 844, 'light'],
] as const) {
  const page = await open(monitor.running.url, [width, height], colorScheme);
  await page.locator('#live[data-state=on]').waitFor();
  await take(page, `monitor-three-down-${width}-${colorScheme}`);
}
await monitor.end();

await ran(['test', '--env', 'local', '--grep', BLOCK], { SEXTANT_OUTPUT: folder });
const report = await open(pathToFileURL(join(folder, 'report', 'index.html')).href, [1280, 1000]);
for (const text of ['Friends', 'Scenarios', BLOCK]) await report.getByText(text, { exact: true }).first().click();
for (const text of ['block friend succeeds', 'block: POST', 'Headers (']) await report.getByText(text).first().click();
await report.getByText('mm-client-id').first().waitFor();
await take(report, 'report');
remove();
await browser.close();
