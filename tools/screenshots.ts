import { join } from 'node:path';
import { projectRoot } from '../src/environment/project-root.ts';
import { temporaryFolder } from '../src/testing/monitor/fakes.ts';
import { launchChromium } from '../src/testing/programs/chromium.ts';
import { threeDown } from './made-up-world/three-down.ts';

// Takes the pictures of the status page in docs/, of a made-up world: `sextant-node tools/screenshots.ts`.
const pictures = [
  [1280, 'light'],
  [1280, 'dark'],
  [390, 'light'],
] as const;

const browser = await launchChromium();
const folder = temporaryFolder();
const world = await threeDown(join(folder.path, 'data'));
for (const [width, colorScheme] of pictures) {
  const page = await browser.newPage({ viewport: { width, height: width > 1000 ? 800 : 844 }, colorScheme });
  await page.goto(world.url);
  await page.locator('#live[data-state=on]').waitFor();
  const file = join(projectRoot, 'docs', `monitor-three-down-${width}-${colorScheme}.png`);
  await page.screenshot({ path: file });
  process.stdout.write(`${file}\n`);
}
await world.stop();
folder.end();
await browser.close();
