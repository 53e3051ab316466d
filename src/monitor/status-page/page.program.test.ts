import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import axe from 'axe-core';
import type { Browser } from 'playwright-core';
import { CANARY } from '../../testing/monitor/fakes.ts';
import { monitoredTitles, startBroken, startRecorded, titled } from '../../testing/monitor/watched-service.ts';
import { chromiumPath, launchChromium } from '../../testing/programs/chromium.ts';
import { http, listening } from '../../testing/servers/listening.ts';

const skip = chromiumPath ? false : 'needs Chromium: apt-get install chromium';

const down = ['love, then unlove', 'block, then list, then unblock'];
/** Makes the page reload itself, as it does every 15 seconds. */
const REFRESH = `document.dispatchEvent(new Event('visibilitychange'))`;
const phone = { viewport: { width: 390, height: 844 } };

let broken: Awaited<ReturnType<typeof startBroken>>;
let browser: Browser | undefined;
before(async () => {
  broken = await startBroken(await titled(monitoredTitles), down.length);
  if (!skip) browser = await launchChromium();
});
after(async () => {
  await browser?.close();
  await broken.end();
});

async function open({ url }: { readonly url: string }, path = '/', options: Parameters<Browser['newPage']>[0] = {}) {
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
  const { running, run } = await startRecorded(t);
  run('passed');
  run('passed', 'love');
  const { page, complaints } = await open(running);
  await page.locator('#live[data-state=on]').waitFor();
  await page.getByRole('heading', { level: 1, name: 'All 2 scenarios up' }).waitFor();
  await page.evaluate('isSame = true');
  run('failed');
  await page.evaluate(REFRESH);
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
  await page.locator('.columns rect').last().hover({ force: true });
  await page
    .locator('.pointed')
    .getByText(/UTC: p50 \d+(\.\d)? ms/)
    .waitFor();
  await page.getByRole('link', { name: 'Incidents' }).click();
  await page.getByRole('heading', { level: 2, name: 'Past incidents' }).waitFor();
  await page.getByRole('link', { name: 'Friends: block answers 500' }).click();
  await page.getByRole('heading', { level: 1, name: 'Friends: block answers 500' }).waitFor();
  await page.getByText('POST http://e.test').waitFor();
  assert.doesNotMatch(await page.content(), new RegExp(CANARY));
  await page.goto(running.url);
  await page.locator('#live[data-state=on]').waitFor();
  await page.evaluate('isSame = true');
  run('passed');
  await page.evaluate(REFRESH);
  await page.getByRole('heading', { level: 1, name: 'All 2 scenarios up' }).waitFor();
  assert.deepEqual([await page.locator('.problem').count(), await page.locator('.line.down').count()], [0, 0]);
  assert.equal(await page.evaluate('isSame'), true, 'the page was loaded again');
  await page.getByLabel('Name, area or state').fill('friends up');
  await page.getByRole('button', { name: 'Show' }).click();
  await page.waitForURL('**/?text=friends+up');
  assert.deepEqual(complaints, [], 'the content security policy allows everything that the page needs');
  await page.route('**/?text=friends+up', (route) => route.fulfill({ status: 502 }), { times: 1 });
  await page.evaluate(REFRESH);
  await page.locator('#live[data-state=lost]').waitFor();
  await page.evaluate(REFRESH);
  await page.locator('#live[data-state=on]').waitFor();
});

test('at night, on a phone, behind a reverse proxy that serves the page below a path: from the link over the token to what is to be done; nothing is wider than the screen', {
  skip,
}, async (t) => {
  const token = 'the-token-of-the-page-0123456789';
  const { running, recorder, run } = await startRecorded(t, { token, pageUrl: 'https://status.your.org/sextant/' });
  const long = 'x'.repeat(3_000);
  run('failed', 'block', { reason: `documented: it works — ${long}`, curl: `curl '${long}'` });
  const path = `incidents/${recorder.incidents.open[0]?.id}`;
  const proxy = http.createServer((asked, answer) => {
    const path = asked.url?.startsWith('/sextant/') ? asked.url.slice('/sextant'.length) : undefined;
    if (path === undefined) return void answer.writeHead(404).end();
    const { method, headers } = asked;
    const passed = http.request(new URL(path, running.url), { method, headers }, (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(answer);
    });
    // At the end of the test, the monitor may stop before this proxy, so a forwarded request may fail.
    passed.on('error', () => answer.destroy());
    asked.pipe(passed);
  });
  const { url, stop } = await listening(proxy);
  t.after(stop);
  const { page, complaints } = await open({ url: `${url}/` }, `/sextant/${path}`, phone);
  await page.fill('input[name=token]', token);
  await page.click('button');
  await page.waitForURL(`**/sextant/${path}`);
  await page.locator('#live[data-state=on]').waitFor();
  const acknowledge = page.getByRole('button', { name: 'Acknowledge' });
  const box = await acknowledge.boundingBox();
  assert.ok(box && box.y + box.height <= phone.viewport.height, `Acknowledge ends at ${box?.y}`);
  const loadsAfter = async (note: string) => {
    await page.getByLabel('Note').fill(note);
    return page.evaluate(`document.dispatchEvent(new Event('visibilitychange')), loads`);
  };
  await page.evaluate('loads = 0; fetch = () => (loads++, new Promise(() => {}))');
  assert.deepEqual([await loadsAfter('it is the gateway'), await loadsAfter('')], [0, 1], 'what is being typed stays');
  await page.getByLabel('Your name').fill('Ada');
  await page.getByLabel('Note').fill('it is the gateway');
  await acknowledge.click();
  await page.getByText('Ada acknowledged it: it is the gateway').waitFor();
  const widths: unknown[] = [];
  const width = async () => widths.push(await page.evaluate('document.documentElement.scrollWidth'));
  await width();
  await page.getByRole('link', { name: 'block', exact: true }).first().click();
  await page.getByRole('heading', { level: 1, name: 'block: down' }).waitFor();
  await width();
  await page.getByRole('link', { name: '7 days' }).click();
  await page.getByRole('link', { name: 'Status', exact: true }).first().click();
  await page.locator('.problem').getByText('Acknowledged by Ada').waitFor();
  await width();
  assert.deepEqual(widths, [390, 390, 390]);
  await page.getByRole('link', { name: 'staging: Friends: block answers 500' }).waitFor();
  await page.getByLabel('Name, area or state').fill('down');
  await page.getByRole('button', { name: 'Show' }).click();
  await page.waitForURL('**/sextant/?text=down');
  assert.deepEqual(
    complaints.filter((line) => !line.includes('401')),
    [],
  );
});

test('without script: the filter is in the address, and charts are there with their values', {
  skip,
}, async () => {
  const { page } = await open(broken.running, '/', { javaScriptEnabled: false });
  await page.getByLabel('Environment').selectOption('production');
  await page.getByLabel('Name, area or state').fill('down');
  await page.getByRole('button', { name: 'Show' }).click();
  assert.match(page.url(), /\?environment=production&text=down$/);
  assert.deepEqual(await page.locator('.line > a').allTextContents(), ['love, then unlove']);
  await page.locator('.line').getByRole('link', { name: 'love, then unlove' }).click();
  const first = await page.locator('main > *').nth(2).textContent();
  assert.match(first ?? '', /500 Internal Server Error.*Since.*Last good run.*Failing call.*curl/s);
  for (const range of ['24 hours', '7 days', '30 days', 'a year']) {
    if (range !== '24 hours')
      await page.getByRole('navigation', { name: 'Range' }).getByRole('link', { name: range }).click();
    await page.getByRole('img', { name: `Latency over ${range}: p50 ` }).waitFor();
    assert.match(await page.locator('.columns title').first().innerHTML(), /^\d{4}-\d\d-\d\d.*: p50 /);
  }
  await page.close();
});

test('everything that is down is on the first screen of a phone, and axe finds nothing, in light and dark', {
  skip,
}, async () => {
  const { page } = await open(broken.running, '/', phone);
  for (const name of down) {
    const box = await page.getByRole('link', { name, exact: true }).first().boundingBox();
    assert.ok(box && box.y + box.height < phone.viewport.height, `${name} is at ${box?.y} px`);
  }
  assert.equal(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), 0);
  await page.setViewportSize({ width: 1280, height: 800 });
  const places = await page.evaluate(`
    document.querySelector('.line .uptime').textContent = '99.953 % of 44 d 23 h';
    new Set([...document.querySelector('.area[open]').querySelectorAll('.daybar')].map((bar) => bar.getBoundingClientRect().x)).size`);
  assert.equal(places, 1, 'the days of the scenarios of an area are below each other');
  for (const path of ['/', '/?text=down', '/scenario/production/love-then-unlove', '/incidents/1']) {
    if (path !== '/') await page.goto(new URL(path, broken.running.url).href);
    await page.locator('details').evaluateAll((all) => {
      for (const one of all) (one as unknown as { open: boolean }).open = true;
    });
    await page.evaluate(axe.source);
    // The width determines the layout, and the colour scheme the colours, so two combinations are enough. A text is smaller on a phone than
    // on a screen, so it needs more contrast there.
    for (const [colorScheme, viewport, options] of [
      ['light', phone.viewport, {}],
      ['dark', { width: 1280, height: 800 }, { runOnly: ['color-contrast', 'target-size'] }],
    ] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize(viewport);
      const found = (await page.evaluate(
        `axe.run(${JSON.stringify({ resultTypes: ['violations'], ...options })})`,
      )) as axe.AxeResults;
      const texts = found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).slice(0, 3)}`);
      assert.deepEqual(texts, [], `${path} ${colorScheme} ${viewport.width}`);
    }
  }
  await page.goto(broken.running.url);
  await page.getByLabel('Environment').selectOption('production');
  await page.waitForURL(/\/\?environment=production$/);
});
