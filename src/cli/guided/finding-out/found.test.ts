import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Exchange } from '../../../client/index.ts';
import type { Found } from './found.ts';
import { friendKnown } from './friend.ts';
import { lag } from './lag.ts';
import { paging } from './paging.ts';
import { refusals } from './refusals.ts';

/** A response to a read of the block list. */
function answer(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Exchange {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const json =
    typeof body === 'string'
      ? { ok: false, problem: body === '' ? 'empty' : 'not valid JSON' }
      : { ok: true, value: body };
  const all = {
    'content-type': typeof body === 'string' ? 'text/plain; charset=utf-8' : 'application/json',
    ...headers,
  };
  return {
    operation: 'listBlocked',
    area: 'friends',
    response: { status, statusText: '', headers: Object.entries(all), body: { bytes: text.length, text, json } },
  } as unknown as Exchange;
}
const silent = { operation: 'listBlocked', failure: { reason: 'connection refused' } } as unknown as Exchange;
const list = answer(200, []);

const rows: [name: string, found: Found, text: RegExp, sets: string | undefined][] = [
  [
    'a refusal as JSON',
    refusals([list], answer(401, { a: 1 }), 'its token'),
    /401 without its token, as JSON/,
    undefined,
  ],
  [
    'a refusal as text',
    refusals([list], answer(403, 'no'), 'its token'),
    /403 .*as plain text \(text\/plain\)/,
    undefined,
  ],
  [
    'a refusal as a page',
    refusals([list], answer(401, '<html>', { 'content-type': 'text/html' }), 'its token'),
    /as a page/,
    undefined,
  ],
  ['a refusal without a body', refusals([list], answer(401, ''), 'its token'), /without a body/, undefined],
  [
    'a crash',
    refusals([list], answer(500, ''), 'its token'),
    /answers 500: how it refuses is not known yet/,
    undefined,
  ],
  ['silence', refusals([list], silent, 'its token'), /no response \(connection refused\)/, undefined],
  ['the same answer', refusals([list], list, 'its token'), /it is not checked there/, undefined],
  [
    'a signal in the body',
    refusals([answer(200, { code: 0 })], answer(200, { code: 9 }), 'its token'),
    /by \/code=0/,
    'SUCCESS_WHEN=/code=0',
  ],
  [
    'another body without a signal',
    refusals([list], answer(200, { why: 'x' }), 'its token'),
    /set SUCCESS_WHEN/,
    undefined,
  ],
  [
    'no cache',
    lag(answer(200, [], { 'cache-control': 'no-store, max-age=60' }), 2_000),
    /shows only after one/,
    undefined,
  ],
  [
    'a cache',
    lag(answer(200, [], { 'cache-control': 'private, max-age=60' }), 2_000),
    /cached for 60 s/,
    'CONSISTENCY_TIMEOUT_MS=61000',
  ],
  [
    'the longer of two',
    lag(answer(200, [], { 'cache-control': 's-maxage=90, max-age="10"' }), 2_000),
    /90 s/,
    'CONSISTENCY_TIMEOUT_MS=91000',
  ],
  [
    'a cache that is known',
    lag(answer(200, [], { 'cache-control': 'max-age=1' }), 2_000),
    /cached for 1 s; it may lag for 2000 ms/,
    undefined,
  ],
  [
    'a cache longer than the key may be',
    lag(answer(200, [], { 'cache-control': 'max-age=86400' }), 2_000),
    /86400 s/,
    'CONSISTENCY_TIMEOUT_MS=600000',
  ],
  ['a friend', friendKnown(list, 'request'), /is known: its profile can be read/, undefined],
  ['an unknown friend', friendKnown(answer(404, {}), 'request'), /is not known there \(404\)/, undefined],
  [
    'a friend whose token is wrong',
    friendKnown(answer(401, {}), 'token'),
    /FRIEND_ACCESS_TOKEN is refused \(401\)/,
    undefined,
  ],
  ['a friend and a crash', friendKnown(answer(500, ''), 'request'), /not clear \(500\)/, undefined],
  ['a friend and silence', friendKnown(silent, 'request'), /no response/, undefined],
];
for (const [name, found, text, sets] of rows)
  test(`${name}: ${sets ?? 'nothing to set'}`, () => {
    assert.match(found.text, text);
    assert.equal(found.sets && `${found.sets.key}=${found.sets.value}`, sets);
  });

const entries = ['a', 'b', 'c', 'd', 'e'].map((id) => ({ id }));
const pages: [name: string, slice: (n1: number, n2: number) => readonly object[] | undefined, text: RegExp][] = [
  ['offset and limit', (offset, limit) => entries.slice(offset, offset + limit), /are offset\/limit, counted from 0/],
  [
    'page and size from 1',
    (page, size) => (page < 1 ? undefined : entries.slice((page - 1) * size, page * size)),
    /are page\/size, counted from 1/,
  ],
  ['size and page', (size, page) => entries.slice(page * size, (page + 1) * size), /are size\/page, counted from 0/],
  ['numbers that mean nothing', () => entries, /is not clear/],
];
for (const [name, slice, text] of pages)
  test(`the segments are read from a list as it is: ${name}`, async () => {
    const read = async ([n1, n2]: readonly [number, number]) => {
      const page = slice(n1, n2);
      return page ? answer(200, page) : answer(400, {});
    };
    assert.match(
      (
        await paging(answer(200, { list: entries }), async (pair) => {
          const page = await read(pair);
          const { json } = page.response?.body ?? {};
          return json?.ok ? answer(200, { list: json.value }) : page;
        })
      ).text,
      text,
    );
  });

test('too few entries show nothing', async () => {
  assert.match((await paging(answer(200, []), async () => list)).text, /has no entries/);
  assert.match((await paging(answer(200, ['a']), async () => list)).text, /too few entries/);
});
