import { join } from 'node:path';
import { launchChromium } from '../../src/testing/chromium.ts';
import { temporaryFolder } from '../../src/testing/monitor/fakes.ts';
import { pictured, worlds } from './worlds.ts';

// Takes the pictures of the status page in docs/, from made-up worlds: `sextant-node tools/screenshots/index.ts [world…]`.
const docs = join(import.meta.dirname, '..', '..', 'docs');
const wanted = process.argv.slice(2);
const browser = await launchChromium();

for (const world of worlds.filter(({ name }) => wanted.length === 0 || wanted.includes(name))) {
  const folder = temporaryFolder();
  const running = await pictured(world, join(folder.path, 'data'));
  const paths = {
    '': '/',
    ...(world.name === 'three-down' ? { '-scenario': '/scenario/made-up-production/love-twice?range=7d' } : {}),
  };
  for (const [suffix, path] of Object.entries(paths))
    for (const width of [1280, 390])
      for (const colorScheme of ['light', 'dark'] as const) {
        const page = await browser.newPage({ viewport: { width, height: width > 1000 ? 800 : 844 }, colorScheme });
        await page.goto(new URL(path, running.url).href);
        await page.locator('#live[data-state=on]').waitFor();
        const file = join(docs, `monitor-${world.name}${suffix}-${width}-${colorScheme}.png`);
        await page.screenshot({ path: file });
        await page.close();
        process.stdout.write(`${file}\n`);
      }
  await running.stop();
  folder.end();
}
await browser.close();
