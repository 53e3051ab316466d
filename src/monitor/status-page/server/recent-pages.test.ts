import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import type { SharedBody } from '../../../serving/index.ts';
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

const rows: [name: string, asked: readonly Asked[], drawings: string][] = [
  ['many readers within a second', [{ at: 0 }, { at: 1 }, { at: 999 }], '1 1 1'],
  ['later, one is drawn for the next', [{ at: 0 }, { at: 1_000 }, { at: 1_001 }, { at: 1_999 }], '1 1 2 2'],
  ['after three seconds without a reader', [{ at: 0 }, { at: 3_000 }], '1 2'],
  [
    'readers in a row never make a page older',
    [{ at: 0 }, { at: 900 }, { at: 1_800 }, { at: 2_700 }, { at: 3_600 }],
    '1 1 1 2 2',
  ],
  [
    'each filter is a page',
    [{ at: 0 }, { at: 1, name: '/?state=bad' }, { at: 2 }, { at: 3, name: '/?state=bad' }],
    '1 2 1 2',
  ],
  ['a state changed', [{ at: 0 }, { at: 1, flips: 1 }, { at: 2, flips: 1 }], '1 2 2'],
  ['a state changed after a second', [{ at: 0 }, { at: 1_500, flips: 1 }, { at: 1_501, flips: 1 }], '1 2 2'],
  ['a reader missed events; the others get what it got', [{ at: 0 }, { at: 1, isLatest: true }, { at: 2 }], '1 2 2'],
];

/** Pages that are numbered as they are drawn. */
function numbered() {
  const state = { now: 0, flips: 0, drawings: 0, isBroken: false };
  const recent = new RecentPages(
    () => state.flips,
    () => state.now,
  );
  const draw = () => {
    if (state.isBroken) throw new Error('the history is damaged');
    return { headers: {}, body: [String(++state.drawings)] };
  };
  const take = async ({ at, name = '/', flips = 0, isLatest }: Asked) => {
    Object.assign(state, { now: at, flips });
    const { body } = await recent.take(name, isLatest === true, draw);
    // What is drawn for the next reader has its turn.
    await new Promise(setImmediate);
    await new Promise(setImmediate);
    return (await (body as SharedBody).for()).body.toString();
  };
  return { state, take };
}

for (const [name, asked, expected] of rows)
  test(`a page is drawn once a second at most, and when a state changed: ${name}`, async () => {
    const { take } = numbered();
    const got: string[] = [];
    for (const each of asked) got.push(await take(each));
    assert.equal(got.join(' '), expected);
  });

test('a page that could not be drawn for the next reader is no longer given away', async () => {
  const { state, take } = numbered();
  await take({ at: 0 });
  state.isBroken = true;
  assert.equal(await take({ at: 1_500 }), '1');
  await assert.rejects(take({ at: 1_501 }), /the history is damaged/);
  state.isBroken = false;
  assert.equal(await take({ at: 1_502 }), '2');
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
