import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { Live } from './live.ts';
import type { Pages } from './pages.ts';
import { RecentPages } from './recent-pages.ts';
import { pageServer } from './server.ts';

interface Asked {
  readonly at: number;
  readonly name?: string;
  /** How many states have changed by then. */
  readonly flips?: number;
  readonly isLatest?: true;
}

const rows: [name: string, asked: readonly Asked[], drawings: number][] = [
  ['many readers within a second', [{ at: 0 }, { at: 1 }, { at: 999 }], 1],
  ['a second later', [{ at: 0 }, { at: 1_000 }], 2],
  ['readers in a row never make a page older', [{ at: 0 }, { at: 900 }, { at: 1_100 }, { at: 1_200 }], 2],
  ['each filter is a page', [{ at: 0 }, { at: 1, name: '/?state=bad' }, { at: 2 }, { at: 3, name: '/?state=bad' }], 2],
  ['a state changed', [{ at: 0 }, { at: 1, flips: 1 }, { at: 2, flips: 1 }], 2],
  ['a reader missed events; the others get what it got', [{ at: 0 }, { at: 1, isLatest: true }, { at: 2 }], 2],
];

test('a page is drawn once a second, and again when a state changed', async () => {
  for (const [name, asked, expected] of rows) {
    const state = { now: 0, flips: 0, drawings: 0 };
    const recent = new RecentPages(
      () => state.flips,
      () => state.now,
    );
    const draw = () => ({ headers: {}, body: [`drawing ${++state.drawings}`] });
    const got = [];
    for (const { at, name: page = '/', flips = 0, isLatest = false } of asked) {
      Object.assign(state, { now: at, flips });
      got.push(await recent.take(page, isLatest, draw));
    }
    assert.equal(state.drawings, expected, name);
    assert.equal(new Set(got).size, expected, `${name}: readers share one body`);
  }
});

test('readers who ask at the same time share one drawing', async () => {
  let drawings = 0;
  const recent = new RecentPages(
    () => 0,
    () => 0,
  );
  const ask = () => recent.take('/', false, () => ({ headers: {}, body: [String(++drawings)] }));
  const [first, second] = await Promise.all([ask(), ask()]);
  assert.equal(first, second);
  assert.equal(drawings, 1);
});

test('few pages are kept, the latest', async () => {
  let drawings = 0;
  const recent = new RecentPages(
    () => 0,
    () => 0,
  );
  const take = (name: string) => recent.take(name, false, () => ({ headers: {}, body: [String(++drawings)] }));
  for (let n = 1; n <= 17; n++) await take(`/?text=${n}`);
  await take('/?text=17');
  await take('/?text=2');
  assert.equal(drawings, 17);
  await take('/?text=1');
  assert.equal(drawings, 18, 'the oldest was let go');
});

test('a reader of a page that was drawn earlier gets everything since as events', async (t) => {
  const live = new Live();
  let drawings = 0;
  const overview = () => [`<main data-last="${live.last}">drawing ${++drawings}</main>`];
  const settings = { isPublic: true, listen: '127.0.0.1' };
  const server = pageServer({ settings, flips: 0, overview } as unknown as Pages, live);
  t.after(async () => {
    live.stop();
    await server.close();
  });
  await server.listen({ host: '127.0.0.1', port: 0 });
  const url = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}/`;
  const page = async (headers = {}) => (await fetch(url, { headers })).text();
  const missed = async (text: string) => {
    const [, last = ''] = /data-last="([^"]+)"/.exec(text) ?? [];
    const leaving = new AbortController();
    const { body } = await fetch(`${url}events?after=${last}`, { signal: leaving.signal });
    const { value } = (await body?.getReader().read()) ?? {};
    leaving.abort();
    return (
      Buffer.from(value ?? [])
        .toString()
        .match(/^data: .*/gm) ?? []
    );
  };

  const first = await page();
  live.publish({ name: 'figures', key: 'figures 1', data: { i: 1, p: '12 ms' } });
  const second = await page();
  assert.equal(second, first, 'drawn before the event');
  assert.deepEqual(await missed(second), ['data: {"i":1,"p":"12 ms"}']);

  const latest = await page({ 'cache-control': 'no-cache' });
  assert.match(latest, /drawing 2/);
  assert.deepEqual(await missed(latest), []);
});
