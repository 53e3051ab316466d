import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { after, type TestContext, test } from 'node:test';
import type { TimeLimits } from '../../server/index.ts';
import { pageToken, readers, shownTo } from '../../testing/monitor/page-readers.ts';
import { startRecorded } from '../../testing/monitor/watched-service.ts';
import { fetchOnce } from '../../testing/servers/listening.ts';
import type { Monitor } from '../monitor.ts';
import { type Access, accessOf, passOf, type ShownHeaders } from './access.ts';
import { pageServer } from './server.ts';

/** Serves the pages of a monitor without a history, for tests that don't read the contents of pages. */
async function started(t: TestContext, limits?: TimeLimits, pageUrl?: string) {
  const settings = { token: pageToken, isPublic: false, listen: '127.0.0.1', pageUrl };
  const metrics = { page: () => ({ headers: {}, body: 'up 1' }) };
  const monitor = { settings, recorder: {}, environments: [], metrics } as unknown as Monitor;
  const app = pageServer(monitor, { say: () => {}, limits });
  t.after(() => app.close());
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  const login = (token: string, headers = {}) =>
    fetch(`${url}login`, { method: 'POST', redirect: 'manual', headers, body: new URLSearchParams({ token }) });
  const get = (path: string, headers: Record<string, string> = {}) => fetch(url + path, { headers });
  return { url, login, get };
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
    const { url } = await started(t, { headersMs: 200, requestMs: 400 });
    const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => {});
    socket.resume().write(beginning);
    const dripping = setInterval(() => socket.write(drop), 50);
    t.after(() => clearInterval(dripping));
    // The server may also reset the connection, which is fine. `once` would reject with the error of the reset, so use a listener.
    await new Promise((resolve) => socket.on('close', resolve));
  });
}

test('the right token opens the page, even beside an old cookie; over https its cookie is for https alone; a wrong one opens nothing', async (t) => {
  const { url, login, get } = await started(t);
  const oldCookie = { cookie: `sextant=${'0'.repeat(64)}` };
  const cookie = `sextant=${passOf(pageToken)}; HttpOnly; SameSite=Strict; Max-Age=2592000`;
  const entered = await login(pageToken, oldCookie);
  const proxied = await login(pageToken, { origin: 'https://status.your.org', 'sec-fetch-site': 'same-origin' });
  const cookies = [entered, proxied].map(({ status, headers }) => [status, headers.get('set-cookie')]);
  assert.deepEqual(cookies, [
    [303, cookie],
    [303, `${cookie}; Secure`],
  ]);
  const wrong = [
    login('not the token'),
    get('metrics', { authorization: 'Bearer not-the-token' }),
    get('metrics', oldCookie),
    // After a wrong token, the address of the page is /login. A browser sends this request if somebody reloads that page.
    get('login'),
  ];
  assert.deepEqual(
    (await Promise.all(wrong)).map(({ status }) => status),
    [401, 401, 401, 401],
  );
  assert.equal((await get('metrics', { authorization: `Bearer ${pageToken}` })).status, 200);
  const back = await fetch(`${url}login`, { redirect: 'manual', headers: { authorization: `Bearer ${pageToken}` } });
  assert.deepEqual([back.status, back.headers.get('location')], [303, '/']);
});

test('below a path, all that a page leads to begins with it, whether or not a proxy takes the path away', async (t) => {
  const { url, get, login } = await started(t, {}, 'https://status.your.org/sextant/');
  const pages = await Promise.all(['nowhere', 'sextant/nowhere'].map(async (path) => (await get(path)).text()));
  for (const page of pages) {
    const places = [...page.matchAll(/ (?:href|src|action)="([^"#]+)"/g)].map(([, place]) => place ?? '');
    assert.ok(places.length > 5 && places.every((place) => place.startsWith('/sextant/')), places.join());
  }
  assert.equal((await login(pageToken)).headers.get('location'), '/sextant/');
  assert.equal((await fetch(`${url}sextant/assets/page.css`)).status, 200);
});

/** The headers of every response. They forbid scripts, frames and addresses of other sites, and caching. */
const always = {
  'content-security-policy': [
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'",
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
};

for (const [path, expected] of Object.entries({ '': 401, nowhere: 404, 'assets/page.css': 200 }))
  test(`/${path}: ${expected}, with the headers of every response`, async (t) => {
    const { status, headers } = await (await started(t)).get(path);
    const found = Object.keys(always).map((name) => [name, headers.get(name)]);
    assert.deepEqual([status, Object.fromEntries(found)], [expected, always]);
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

/** For each reader, a monitor in which two scenarios are down. */
const asking = await Promise.all(
  Object.values(readers).map(async ({ settings, headers }) => {
    const { running, run } = await startRecorded(
      { after: (end) => after(() => end?.({} as TestContext, () => {})) },
      settings,
    );
    for (const title of ['block', 'love'] as const) run('failed', title);
    return { headers, url: running.url, isPublic: 'isPublic' in settings };
  }),
);

/**
 * Sends a request as a reader. Returns the letter for the table `shownTo`: `a` the reader sees everything, `p` the public view, `s` the
 * same view as every reader with access, `-` nothing.
 */
async function shown(asked: string, { headers, url, isPublic }: (typeof asking)[number]): Promise<string> {
  const [method, path = '/'] = asked.split(' ');
  const form = path.startsWith('/incidents') ? 'person=Ada&kind=note&text=hello' : 'env=staging&scenario=love';
  const sent = request(new URL(path, url), { method, headers }).end(method === 'POST' ? form : '');
  const [response] = await once(sent, 'response');
  let text = '';
  for await (const chunk of response) text += chunk;
  if ([401, 403].includes(response.statusCode)) return '-';
  if (isPublic) assert.doesNotMatch(text, /it works|staging\.test|e\.test|curl '|method="post"/);
  // The monitor in this test schedules no scenarios, so `/run` finds none.
  assert.ok(response.statusCode < 400 || ['/healthz', '/run'].includes(path), `${response.statusCode} ${text}`);
  if (/^\/(status\.json|badge|metrics|assets|maintenance)/.test(path) || method === 'POST') return 's';
  // Only a reader who may see everything sees a reason, or a problem of the monitor.
  return /documented: it works|"problems":/.test(text) ? 'a' : 'p';
}

for (const [asked, expected] of Object.entries(shownTo))
  test(`${asked}: who may`, async () => {
    const found = await Promise.all(asking.map((reader) => shown(asked, reader)));
    assert.equal(found.join(''), expected);
  });

for (const [what, path, header, open] of [
  ['scripts of other sites may read the states', 'status.json', 'access-control-allow-origin', '*'],
  ['pages of other sites may show the badges', 'badge/staging.svg', 'cross-origin-resource-policy', 'cross-origin'],
] as const)
  test(`${what} of a public page, and of no other`, async () => {
    const answered = asking.filter(({ headers }) => !('host' in headers));
    for (const { url, headers, isPublic } of answered) {
      const response = await fetchOnce(new URL(path, url), { headers });
      if (response.status === 401) continue;
      assert.deepEqual([response.status, response.headers.get(header) === open], [200, isPublic]);
    }
  });
