import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { type TestContext, test } from 'node:test';
import { type Access, accessOf, delayAfter, GuessDelay, passOf, type ShownHeaders } from './access.ts';
import { Live } from './live.ts';
import type { Pages } from './pages.ts';
import { pageServer } from './server.ts';

const token = 'the-token-of-the-page-0123456789';

/** Answers to wrong tokens that wait until the test lets them go. */
class Held {
  readonly waiting: ((isHeld: boolean) => void)[] = [];
  hold(): Promise<boolean> {
    return new Promise((resolve) => this.waiting.push(resolve));
  }
  end(): void {
    for (const release of this.waiting) release(true);
  }
}

async function started(t: TestContext, { isPublic = false } = {}) {
  const live = new Live(() => 'e-1');
  const pages = {
    monitor: { settings: { token, isPublic, listen: '127.0.0.1' }, recorder: { edition: 'e-1' } },
    overview: (isForAll: boolean) => `overview for ${isForAll ? 'public' : 'all'}`,
  } as unknown as Pages;
  const held = new Held();
  const app = pageServer(pages, live, { headersMs: 200, requestMs: 400, idleMs: 60_000 }, held);
  t.after(async () => {
    live.stop();
    await app.close();
  });
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  const login = (given: string) =>
    fetch(`${url}login`, { method: 'POST', redirect: 'manual', body: new URLSearchParams({ token: given }) });
  const get = (headers: Record<string, string>) => fetch(url, { headers });
  return { url, port: Number(new URL(url).port), held, live, login, get };
}

const slow: [name: string, beginning: string, drop: string][] = [
  ['headers', 'GET / HTTP/1.1\r\nhost: x\r\nx-long: ', 'a'],
  ['a request line', 'GET /', 'a'],
  [
    'a login',
    'POST /login HTTP/1.1\r\nhost: x\r\ncontent-type: application/x-www-form-urlencoded\r\ncontent-length: 1000\r\n\r\n',
    'a',
  ],
  [
    'a chunked login',
    'POST /login HTTP/1.1\r\nhost: x\r\ncontent-type: application/x-www-form-urlencoded\r\ntransfer-encoding: chunked\r\n\r\n',
    '1\r\na\r\n',
  ],
];
for (const [name, beginning, drop] of slow) {
  test(`${name} sent byte by byte is cut off`, async (t) => {
    const { port } = await started(t);
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
  const wrong = [
    login('not the token'),
    get({ authorization: 'Bearer not-the-token' }),
    get({ cookie: `sextant=${'0'.repeat(64)}` }),
  ];
  while (held.waiting.length < wrong.length) await new Promise(setImmediate);
  assert.equal((await login(token)).status, 303);
  assert.equal((await get({ authorization: `Bearer ${token}` })).status, 200);
  assert.equal(held.waiting.length, wrong.length);
  const [first, ...rest] = held.waiting;
  first?.(true);
  for (const release of rest) release(false);
  const statuses = (await Promise.all(wrong)).map(({ status }) => status).sort();
  assert.deepEqual(statuses, [401, 429, 429]);
});

test('on a public page a wrong token waits too, and no token does not', async (t) => {
  const { held, get } = await started(t, { isPublic: true });
  assert.equal(await (await get({})).text(), 'overview for public');
  const guess = get({ authorization: 'Bearer not-the-token' });
  while (held.waiting.length === 0) await new Promise(setImmediate);
  held.waiting[0]?.(true);
  assert.equal(await (await guess).text(), 'overview for public');
});

test('a slip costs little, a hundred much', () => {
  assert.deepEqual([1, 2, 3, 6, 7, 100].map(delayAfter), [250, 500, 1_000, 8_000, 10_000, 10_000]);
});

test('what waits is bounded, and forgotten after a minute', async () => {
  let now = 0;
  const guesses = new GuessDelay(() => now);
  const waiting = Array.from({ length: 100 }, () => guesses.hold());
  assert.equal(await guesses.hold(), false);
  guesses.end();
  assert.ok((await Promise.all(waiting)).every(Boolean));
  now = 61_000;
  assert.equal(await guesses.hold(), true);
});

/** A listener of whom so many bytes are unread. */
function listener(writableLength = 0) {
  const seen = { texts: [] as string[], isDestroyed: false };
  const response = {
    writableLength,
    write: (text: string) => seen.texts.push(text),
    destroy: () => {
      seen.isDestroyed = true;
    },
    on: () => response,
    end: () => {},
  };
  return { seen, response: response as unknown as ServerResponse };
}

test('readers hear of the edition as they come, and of another one once for all changes of half a second', (t) => {
  t.mock.timers.enable({ apis: ['setInterval', 'setTimeout'] });
  let edition = 'e-1';
  const live = new Live(() => edition);
  const [reading, stuck] = [listener(), listener(100_000)];
  for (const { response } of [reading, stuck]) live.add(response);
  const told = () => reading.seen.texts.join('').match(/(?<=^data: ).*/gm);
  assert.deepEqual(told(), ['e-1']);
  for (const next of ['e-2', 'e-3', 'e-3']) {
    edition = next;
    live.look();
  }
  t.mock.timers.tick(500);
  live.look();
  t.mock.timers.tick(500);
  assert.deepEqual(told(), ['e-1', 'e-3']);
  assert.deepEqual([reading.seen.isDestroyed, stuck.seen.isDestroyed], [false, true], 'who reads nothing is let go');
  live.stop();
});

test('readers of events are bounded', async (t) => {
  const { url, live } = await started(t);
  for (let n = 0; n < 300; n++) live.add(listener().response);
  const response = await fetch(`${url}events`, { headers: { authorization: `Bearer ${token}` } });
  assert.deepEqual([response.status, response.headers.get('retry-after')], [503, '60']);
});

const password = 'correct horse battery';
const anonymous: ShownHeaders = { host: '127.0.0.1:9464' };
const local = { listen: '127.0.0.1', isPublic: false };

const rows: [string, ShownHeaders, Parameters<typeof accessOf>[1], Access][] = [
  ['by name', { ...anonymous, host: 'localhost:9464' }, local, 'all'],
  ['IPv6', { ...anonymous, host: '[::1]:9464' }, local, 'all'],
  ['no host', {}, local, 'none'],
  [
    'the name in PAGE_URL',
    { ...anonymous, host: 'status.your.org' },
    { ...local, pageUrl: 'https://status.your.org/' },
    'all',
  ],
  [
    'with its cookie behind another',
    { ...anonymous, cookie: `a=b; sextant=${passOf(password)}` },
    { ...local, token: password },
    'all',
  ],
  [
    'public, with a token',
    { ...anonymous, authorization: `bearer ${password}` },
    { ...local, isPublic: true, token: password },
    'all',
  ],
];

test('access by request and settings', () => {
  for (const [name, asked, guard, expected] of rows) assert.equal(accessOf(asked, guard), expected, name);
});
