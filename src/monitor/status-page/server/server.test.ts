import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { after, type TestContext, test } from 'node:test';
import type { TimeLimits } from '../../../serving/index.ts';
import { pageToken, readers, shownTo } from '../../../testing/monitor/page-readers.ts';
import { type Access, accessOf, delayAfter, guessDelay, passOf, type ShownHeaders } from './access.ts';
import type { Live } from './live.ts';
import type { Pages } from './pages.ts';
import { pageServer } from './server.ts';

/** Pages that say for whom they were drawn. */
function fakePages(settings: object): Pages {
  const to = (isPublic: boolean) => `for ${isPublic ? 'public' : 'all'}`;
  return {
    monitor: {
      settings: { isPublic: false, listen: '127.0.0.1', ...settings },
      recorder: { edition: 'e-1', announce: () => [] },
      environments: [{ name: 'staging' }],
      health: () => ({ isWell: true, problems: ['for all'] }),
    },
    overview: to,
    scenario: async (_environment: string, _name: string, isPublic: boolean) => to(isPublic),
    incident: (_id: number, isPublic: boolean) => to(isPublic),
    handle: () => undefined,
    status: () => '{}',
    badge: () => ({ headers: {}, body: 'badge' }),
    metrics: { page: async () => ({ headers: {}, body: 'up 1' }) },
  } as unknown as Pages;
}

const live = (isFull: boolean) => ({ isFull, add: (response: ServerResponse) => response.end() }) as unknown as Live;

async function started(t: TestContext, isPublic = false, limits?: TimeLimits) {
  /** Answers to wrong tokens wait until the test lets them go. */
  const held: ((isHeld: boolean) => void)[] = [];
  const hold = () => new Promise<boolean>((resolve) => held.push(resolve));
  const pages = fakePages({ token: pageToken, isPublic });
  const app = pageServer(pages, live(true), () => {}, limits, hold);
  t.after(() => app.close());
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  const login = (token: string, headers = {}) =>
    fetch(`${url}login`, { method: 'POST', redirect: 'manual', headers, body: new URLSearchParams({ token }) });
  const get = (headers: Record<string, string>) => fetch(url, { headers });
  return { url, port: Number(new URL(url).port), held, login, get };
}

const posted = 'POST /login HTTP/1.1\r\nhost: x\r\ncontent-type: application/x-www-form-urlencoded\r\n';
const slow: [name: string, beginning: string, drop: string][] = [
  ['headers', 'GET / HTTP/1.1\r\nhost: x\r\nx-long: ', 'a'],
  ['a request line', 'GET /', 'a'],
  ['a login', `${posted}content-length: 1000\r\n\r\n`, 'a'],
  ['a chunked login', `${posted}transfer-encoding: chunked\r\n\r\n`, '1\r\na\r\n'],
];
for (const [name, beginning, drop] of slow) {
  test(`${name} sent byte by byte is cut off`, async (t) => {
    const { port } = await started(t, false, { headersMs: 200, requestMs: 400, idleMs: 60_000 });
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    socket.resume().write(beginning);
    const dripping = setInterval(() => socket.write(drop), 50);
    t.after(() => clearInterval(dripping));
    // `once` would reject on a reset, which is a way of cutting off too.
    await new Promise((resolve) => socket.on('close', resolve));
  });
}

test('wrong tokens wait, wherever they are shown; the right one never does', async (t) => {
  const { held, login, get } = await started(t);
  const oldCookie = { cookie: `sextant=${'0'.repeat(64)}` };
  const wrong = [login('not the token'), get({ authorization: 'Bearer not-the-token' }), get(oldCookie)];
  while (held.length < wrong.length) await new Promise(setImmediate);
  const entered = await login(pageToken, oldCookie);
  assert.equal(entered.status, 303);
  const cookie = `sextant=${passOf(pageToken)}; HttpOnly; SameSite=Strict; Max-Age=2592000`;
  assert.equal(entered.headers.get('set-cookie'), cookie);
  // Behind a proxy that speaks https.
  const secure = await login(pageToken, { origin: 'https://status.your.org', 'sec-fetch-site': 'same-origin' });
  assert.equal(secure.headers.get('set-cookie'), `${cookie}; Secure`);
  assert.equal((await get({ authorization: `Bearer ${pageToken}` })).status, 200);
  assert.equal(held.length, wrong.length);
  const [first, ...rest] = held;
  first?.(true);
  for (const release of rest) release(false);
  const statuses = (await Promise.all(wrong)).map(({ status }) => status).sort();
  assert.deepEqual(statuses, [401, 429, 429]);
});

test('whoever loads the login anew is led to the page', async (t) => {
  const { url } = await started(t);
  const { status, headers } = await fetch(`${url}login`, { redirect: 'manual' });
  assert.deepEqual([status, headers.get('location')], [303, './']);
});

test('on a public page a wrong token waits too, and no token does not', async (t) => {
  const { held, get } = await started(t, true);
  assert.equal(await (await get({})).text(), 'for public');
  const guess = get({ authorization: 'Bearer not-the-token' });
  while (held.length === 0) await new Promise(setImmediate);
  held[0]?.(true);
  assert.equal(await (await guess).text(), 'for public');
});

for (const [what, path, header, open, closed] of [
  ['scripts of other sites may read the states', 'status.json', 'access-control-allow-origin', '*', null],
  [
    'pages of other sites may show the badges',
    'badge/staging.svg',
    'cross-origin-resource-policy',
    'cross-origin',
    'same-origin',
  ],
] as const)
  test(`${what} of a public page, and of no other`, async (t) => {
    for (const isPublic of [true, false]) {
      const { url } = await started(t, isPublic);
      const headers = isPublic ? {} : { authorization: `Bearer ${pageToken}` };
      const response = await fetch(url + path, { headers });
      assert.deepEqual([response.status, response.headers.get(header)], [200, isPublic ? open : closed]);
    }
  });

test('whoever gets whatever response: no foreign script, frame or address, and nothing is kept', async (t) => {
  const { url } = await started(t);
  for (const [path, status] of [
    ['', 401],
    ['nowhere', 404],
    ['assets/page.css', 200],
  ] as const) {
    const response = await fetch(url + path);
    const { headers } = response;
    assert.equal(response.status, status);
    const policy = (headers.get('content-security-policy') ?? '').split('; ').sort();
    assert.deepEqual(policy, [
      "base-uri 'none'",
      "connect-src 'self'",
      "default-src 'none'",
      "form-action 'self'",
      "frame-ancestors 'none'",
      "img-src 'self'",
      "script-src 'self'",
      "style-src 'self'",
    ]);
    assert.deepEqual(
      [
        'x-content-type-options',
        'referrer-policy',
        'cross-origin-opener-policy',
        'cross-origin-resource-policy',
        'cache-control',
      ].map((name) => headers.get(name)),
      ['nosniff', 'same-origin', 'same-origin', 'same-origin', 'no-store'],
    );
  }
});

test('a slip costs little, a hundred much', () => {
  assert.deepEqual([1, 2, 3, 6, 7, 100].map(delayAfter), [250, 500, 1_000, 8_000, 10_000, 10_000]);
});

test('what waits is bounded, and forgotten after a minute', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let now = 0;
  const hold = guessDelay(() => now);
  const waiting = Array.from({ length: 100 }, hold);
  assert.equal(await hold(), false);
  t.mock.timers.tick(10_000);
  assert.ok((await Promise.all(waiting)).every(Boolean));
  now = 61_000;
  let isHeld = false;
  void hold().then((held) => {
    isHeld = held;
  });
  t.mock.timers.tick(250);
  await new Promise(setImmediate);
  assert.equal(isHeld, true);
});

test('no more readers of events than there is room for', async (t) => {
  const { url } = await started(t);
  const response = await fetch(`${url}events`, { headers: { authorization: `Bearer ${pageToken}` } });
  assert.deepEqual([response.status, response.headers.get('retry-after')], [503, '60']);
});

const password = 'correct horse battery';
const local = { listen: '127.0.0.1', isPublic: false };
const guarded = { ...local, token: password };

const rows: [string, ShownHeaders, Parameters<typeof accessOf>[1], Access][] = [
  ['by name', { host: 'localhost:9464' }, local, 'all'],
  ['IPv6', { host: '[::1]:9464' }, local, 'all'],
  ['no host', {}, local, 'none'],
  ['the name in PAGE_URL', { host: 'status.your.org' }, { ...local, pageUrl: 'https://status.your.org/' }, 'all'],
  ['with its cookie behind another', { cookie: `a=b; sextant=${passOf(password)}` }, guarded, 'all'],
  ['public, with a token', { authorization: `bearer ${password}` }, { ...guarded, isPublic: true }, 'all'],
];

test('access by request and settings', () => {
  for (const [name, asked, guard, expected] of rows) assert.equal(accessOf(asked, guard), expected, name);
});

const asking = await Promise.all(
  Object.values(readers).map(async ({ settings, headers }) => {
    const page = pageServer(fakePages(settings), live(false), () => {});
    return { headers, page, url: await page.listen({ host: '127.0.0.1', port: 0 }) };
  }),
);
after(() => Promise.all(asking.map(({ page }) => page.close())));

/** The letter of `shownTo`. */
async function shown(asked: string, { headers, url }: (typeof asking)[number]): Promise<string> {
  const [method, path = '/'] = asked.split(' ');
  const sent = request(new URL(path, url), { method, headers }).end(method === 'POST' ? 'env=staging' : '');
  const [response] = await once(sent, 'response');
  let text = '';
  for await (const chunk of response) text += chunk;
  if ([401, 403].includes(response.statusCode)) return '-';
  assert.ok(response.statusCode < 400, `${response.statusCode} ${text}`);
  if (path === '/healthz') return text.includes('for all') ? 'a' : 'p';
  return text === 'for all' ? 'a' : text === 'for public' ? 'p' : 's';
}

for (const [asked, expected] of Object.entries(shownTo))
  test(`${asked}: who may`, async () => {
    const found = await Promise.all(asking.map((reader) => shown(asked, reader)));
    assert.equal(found.join(''), expected);
  });
