import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { threeDown, type World } from '../../../tools/made-up-world/three-down.ts';
import { temporaryFolder } from '../../testing/monitor/fakes.ts';
import { chromiumPath, launchChromium } from '../../testing/programs/chromium.ts';

const skip = chromiumPath ? false : 'needs Chromium: apt-get install chromium';
const down = ['love, then unlove', 'love twice', 'block, then list, then unblock'];
const phone = { viewport: { width: 390, height: 844 } };

let world: World;
let browser: Browser | undefined;
const folder = temporaryFolder();
before(async () => {
  world = await threeDown(join(folder.path, 'data'));
  if (!skip) browser = await launchChromium();
});
after(async () => {
  await browser?.close();
  await world.stop();
  folder.end();
});

async function open(path: string, options: Parameters<Browser['newPage']>[0] = {}): Promise<Page> {
  const page = await (browser as Browser).newPage(options);
  await page.goto(new URL(path, world.url).href);
  return page;
}

test('everything that is down is on the first screen of a phone', { skip }, async () => {
  const page = await open('/', phone);
  for (const name of down) {
    const box = await page.getByRole('link', { name, exact: true }).first().boundingBox();
    assert.ok(box && box.y + box.height < phone.viewport.height, `${name} is at ${box?.y} px`);
  }
  assert.equal(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), 0);
  await page.close();
});

test('areas without a problem are folded, those with one are not', { skip }, async () => {
  const page = await open('/');
  const open_ = await page.locator('details.area[open]').evaluateAll((all) => all.map(({ id }) => id));
  assert.deepEqual(open_, ['area-made-up-production-stories', 'area-made-up-staging-friends']);
  assert.equal(await page.locator('details.area').count(), 12);
  await page.close();
});

test('without script: the filter is in the address, and charts are there with their values', {
  skip,
}, async () => {
  const page = await open('/', { javaScriptEnabled: false });
  await page.getByLabel('State').selectOption('down');
  await page.getByLabel('Environment').selectOption('made-up-production');
  await page.getByRole('button', { name: 'Show' }).click();
  assert.match(page.url(), /\?environment=made-up-production&area=&state=down&text=$/);
  assert.deepEqual(await page.locator('.line > a').allTextContents(), ['love, then unlove', 'love twice']);
  await page.locator('.line').getByRole('link', { name: 'love twice' }).click();
  const first = await page.locator('main > *').nth(2).textContent();
  assert.match(first ?? '', /500 Internal Server Error.*Since.*Last good run.*Failing call.*curl/s);
  for (const range of ['7 days', '30 days', 'a year', '24 hours']) {
    await page.getByRole('navigation', { name: 'Range' }).getByRole('link', { name: range }).click();
    await page.getByRole('img', { name: `Latency over ${range}: p50 ` }).waitFor();
    await page.getByRole('img', { name: `Mean time by phase over ${range}` }).waitFor();
    assert.match(await page.locator('.columns title').first().innerHTML(), /^\d{4}-\d\d-\d\d.*: p50 /);
  }
  await page.close();
});

test('axe finds nothing, in light and dark, on a screen and on a phone', { skip }, async () => {
  const paths = ['/', '/?state=bad', '/scenario/made-up-production/love-twice', '/incidents', '/incidents/1'];
  for (const path of paths) {
    const page = await open(path);
    await page.locator('details').evaluateAll((all) => {
      for (const one of all) (one as unknown as { open: boolean }).open = true;
    });
    await page.evaluate(axe.source);
    for (const colorScheme of ['light', 'dark'] as const)
      for (const viewport of [{ width: 1280, height: 800 }, phone.viewport]) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize(viewport);
        const found = (await page.evaluate('axe.run()')) as axe.AxeResults;
        const texts = found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).slice(0, 3)}`);
        assert.deepEqual(texts, [], `${path} ${colorScheme} ${viewport.width}`);
      }
    await page.close();
  }
});

test('hovering a chart tells its values', { skip }, async () => {
  const page = await open('/scenario/made-up-production/love-twice');
  await page.locator('.columns rect').nth(5).hover({ force: true });
  await page
    .locator('.pointed')
    .first()
    .getByText(/UTC: p50 \d+(\.\d)? ms/)
    .waitFor();
  await page.close();
});
