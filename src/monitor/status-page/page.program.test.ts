import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import type { Verdict } from '../../client/index.ts';
import { CANARY, fakeEnvironment, fakeResult } from '../../testing/monitor/fakes.ts';
import { recordRun } from '../../testing/monitor/open-recorder.ts';
import { runMonitor } from '../../testing/monitor/watched-service.ts';
import { chromiumPath, launchChromium } from '../../testing/programs/chromium.ts';
import { fetchOnce } from '../../testing/servers/fetch-once.ts';
import type { Settings } from '../settings/load.ts';
import type { RunningMonitor } from '../start.ts';

const skip = chromiumPath ? false : 'needs Chromium: apt-get install chromium';

let browser: Browser | undefined;
before(async () => {
  if (!skip) browser = await launchChromium();
});
after(() => browser?.close());

/** A page without a running monitor: the test writes its data. */
async function shown(t: { after(fn: () => Promise<void>): void }, more: Partial<Settings> = {}) {
  const environment = fakeEnvironment('staging');
  const { running, end } = await runMonitor([environment], [], more);
  t.after(end);
  const { recorder } = running.monitor;
  const now = Date.now();
  const scenarios = [
    ['block', 'friends'],
    ['love', 'stories'],
  ] as const;
  for (const [title, area] of scenarios)
    recorder.enterAll([{ environment: 'staging', title, area, effect: 'read' }], now - 60_000);
  const run = (verdict: Verdict, title: 'block' | 'love' = 'block') => {
    const at = Date.now();
    const area = title === 'block' ? 'friends' : 'stories';
    recordRun(recorder, environment, { first: fakeResult(verdict, at, { title, area }) }, at);
    running.monitor.onChange();
  };
  return { running, run };
}

interface Opened {
  readonly page: Page;
  readonly complaints: string[];
}

async function open(
  { url }: RunningMonitor,
  path = '/',
  options: Parameters<Browser['newPage']>[0] = {},
): Promise<Opened> {
  const page = await (browser as Browser).newPage(options);
  const complaints: string[] = [];
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('request', (request) => {
    if (!request.url().startsWith(url)) complaints.push(`request to another origin: ${request.url()}`);
  });
  await page.goto(new URL(path, url).href);
  return { page, complaints };
}

test('the page updates without a reload, and announces changes to a screen reader', {
  skip,
}, async (t) => {
  const { running, run } = await shown(t);
  run('passed');
  run('passed', 'love');
  const { page, complaints } = await open(running);
  await page.locator('#live[data-state=on]').waitFor();
  await page.getByRole('heading', { level: 1, name: 'All 2 scenarios up' }).waitFor();
  await page.evaluate('isSame = true');
  run('failed');
  await page.getByRole('heading', { level: 1, name: '1 of 2 scenarios down' }).waitFor();
  await page.getByRole('status').getByText('1 of 2 scenarios down').waitFor();
  const card = page.locator('.problem', { hasText: 'block' });
  await card.getByText('documented: it works').waitFor();
  await card.getByText('Repeat the call').click();
  await card.getByText("curl '***'").waitFor();
  await page.locator('details.area[open] .line.down', { hasText: 'block' }).waitFor();
  assert.equal(await page.evaluate('isSame'), true, 'the page was loaded again');
  await page.locator('.line').getByRole('link', { name: 'block' }).click();
  await page.getByRole('heading', { level: 1, name: 'block: down' }).waitFor();
  await page.getByText('block: POST http://e.test').waitFor();
  await page.getByRole('link', { name: 'Incidents' }).click();
  await page.getByRole('heading', { level: 2, name: 'Open staging: Friends: block answers 500' }).waitFor();
  await page.getByRole('link', { name: 'Friends: block answers 500' }).click();
  await page.getByRole('heading', { level: 1, name: 'Friends: block answers 500' }).waitFor();
  await page.getByText('POST http://e.test').waitFor();
  assert.doesNotMatch(await page.content(), new RegExp(CANARY));
  await page.goto(running.url);
  await page.locator('#live[data-state=on]').waitFor();
  await page.evaluate('isSame = true');
  run('passed');
  await page.getByRole('heading', { level: 1, name: 'All 2 scenarios up' }).waitFor();
  assert.deepEqual([await page.locator('.problem').count(), await page.locator('.line.down').count()], [0, 0]);
  assert.equal(await page.evaluate('isSame'), true, 'the page was loaded again');
  assert.deepEqual(complaints, [], 'the content security policy allows everything that the page needs');
});

test('public: states and uptime, without reasons and addresses; the token opens the rest', {
  skip,
}, async (t) => {
  const { running, run } = await shown(t, { isPublic: true, token: 'correct horse battery' });
  run('failed');
  const { url } = running;
  const texts: string[] = [];
  for (const path of [
    '/',
    '/scenario/staging/block',
    '/incidents',
    '/incidents.atom',
    '/status.json',
    '/badge/staging.svg',
    '/badge/staging/block.json',
    '/healthz',
  ]) {
    const response = await fetchOnce(new URL(path, url));
    assert.equal(response.status, 200, path);
    texts.push(await response.text());
  }
  assert.match(texts[0] ?? '', /1 of 2 scenarios down/);
  for (const text of texts) assert.doesNotMatch(text, /it works|staging\.test|e\.test|curl/);
  assert.equal((await fetchOnce(new URL('/metrics', url))).status, 401);
  const { page } = await open(running, '/metrics');
  await page.getByLabel('Token').fill('correct horse battery');
  await page.getByRole('button', { name: 'Open' }).click();
  await page.getByText('sextant_healthy 1').waitFor();
  await page.goto(url);
  await page.getByText('documented: it works').first().waitFor();
});

test('at night, on a phone: from the link over the token to what is to be done, and nothing is wider than the screen', {
  skip,
}, async (t) => {
  const token = 'the-token-of-the-page-0123456789';
  const { running } = await shown(t, { token });
  const { recorder } = running.monitor;
  const long = 'x'.repeat(3_000);
  const environment = fakeEnvironment('staging');
  const first = fakeResult('failed', Date.now(), { reason: `documented: it works — ${long}`, curl: `curl '${long}'` });
  recordRun(recorder, environment, { first }, Date.now());
  const [incident] = recorder.incidents.open;
  const { page } = await open(running, `/incidents/${incident?.id}`, { viewport: { width: 390, height: 844 } });
  await page.fill('input[name=token]', token);
  await page.click('button');
  await page.waitForURL(`**/incidents/${incident?.id}`);
  for (const name of ['Acknowledge', 'Mute', 'Maintenance now']) {
    const box = await page.getByRole('button', { name, exact: true }).boundingBox();
    assert.ok(box && box.y + box.height <= 844, `${name} ends at ${box?.y}`);
  }
  for (const path of [`/incidents/${incident?.id}`, '/', '/incidents', '/scenario/staging/block']) {
    await page.goto(new URL(path, running.url).href);
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 390, path);
  }
  await page.goto(new URL(`/incidents/${incident?.id}`, running.url).href);
  await page.locator('.actions input[name=person]').fill('Ada');
  await page.getByRole('button', { name: 'Maintenance now' }).click();
  await page.getByText('Ada began maintenance of staging: incident').waitFor();
  assert.equal(recorder.calendar.isQuiet('staging', Date.now()), true);
});
