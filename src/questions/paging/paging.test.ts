import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Exchange } from '../../http/index.ts';
import { entryKeys, listPlace } from './entries.ts';
import { orderOf, type PageSeen, readings, readMap, readSegments } from './read-segments.ts';

const exchange = (value: unknown) => ({ response: { body: { text: '', json: { ok: true, value } } } }) as Exchange;
const known = ['user-1', 'user-2', 'user-3'];

const rows: [what: string, value: unknown, keys: string[]][] = [
  ['a bare list', ['user-3', 'user-1'], ['user-3', 'user-1']],
  ['a list of records', { total: 2, page: [{ id: 'user-2' }, { id: 'user-1' }] }, ['user-2', 'user-1']],
  ['a map by id', { 'user-2': { at: 1 }, 'user-3': {} }, ['user-2', 'user-3']],
  ['a map by id in an envelope', { ok: true, users: { 'user-1': {}, 'user-3': {} } }, ['user-1', 'user-3']],
  ['a list after another one', { tags: ['a', 'b', 'c'], users: ['user-1', 'user-2'] }, ['user-1', 'user-2']],
  ['one entry', { list: [{ id: 'user-1', name: 'x' }] }, ['user-1']],
  ["other people's entries between", ['user-1', 'ada', 'user-2'], ['user-1', '["ada"]', 'user-2']],
  ['an empty list', { list: [] }, []],
  ['no list', { list: null }, []],
];

for (const [what, value, keys] of rows)
  test(`entries of ${what}`, () => assert.deepEqual(entryKeys(exchange(value), known), keys));

test('an empty map is read where the full one stood', () => {
  const place = listPlace(exchange({ ok: true, users: { 'user-1': {}, 'user-2': {} } }), known);
  assert.deepEqual(place, ['users']);
  assert.deepEqual(entryKeys(exchange({ ok: true, users: {} }), known, place), []);
});

const all = ['a', 'b', 'c', 'd', 'e', 'f'];
const pairs = [0, 1, 2, 3, 4].flatMap((n1) => [0, 1, 2, 3, 4].map((n2) => ({ n1, n2 })));

/** The pages of a service with one reading of the two numbers in the path. It refuses pairs that mean nothing in this reading. */
function pagesOf({ window }: (typeof readings)[number], cap = 100, entries: readonly string[] = all): PageSeen[] {
  return pairs.flatMap(({ n1, n2 }) => {
    const range = window(n1, n2);
    return range ? [{ n1, n2, entries: entries.slice(...range).slice(0, cap) }] : [];
  });
}

test('each reading means another page by the segments 2 and 3', () => {
  assert.deepEqual(
    readings.map(({ name, first, window }) => [name, first, window(2, 3)?.join(' to ')]),
    [
      ['offset/limit', 0, '2 to 5'],
      ['limit/offset', 0, '3 to 5'],
      ['page/size', 0, '6 to 9'],
      ['size/page', 0, '6 to 8'],
      ['from/to', 0, '2 to 3'],
      ['offset/limit', 1, '1 to 4'],
      ['limit/offset', 1, '2 to 4'],
      ['page/size', 1, '3 to 6'],
      ['size/page', 1, '4 to 6'],
      ['from/to', 1, '1 to 3'],
    ],
  );
});

for (const reading of readings) {
  const { name, first } = reading;
  test(`${name} from ${first} is read off its pages`, () => {
    assert.deepEqual(readSegments(all, pagesOf(reading)), { reading });
  });
  test(`${name} from ${first} is read off its pages though they are cut to 3`, () => {
    assert.deepEqual(readSegments(all, pagesOf(reading, 3)), { reading });
  });
}

for (const reading of readings.filter(({ name }) => name === 'offset/limit' || name === 'page/size'))
  test(`${reading.name} from ${reading.first} is read off the pages of a map that is sorted by its names`, () => {
    const made = ['c', 'a', 'e', 'b', 'f', 'd'];
    const newest = made.toReversed();
    const pages = pagesOf(reading, 100, newest).map((page) => ({ ...page, entries: page.entries.toSorted() }));
    assert.deepEqual(readMap(made, all, pages), { order: newest, reading });
  });

test('a list that ignores the numbers is read in no way', () => {
  const pages = pairs.map((pair) => ({ ...pair, entries: all }));
  assert.deepEqual(readSegments(all, pages), { left: [] });
});

test('a list of one entry shows too little', () => {
  const pages = readings[0] ? pagesOf(readings[0], 100, ['a']) : [];
  assert.deepEqual(readSegments(['a'], pages), { left: [] });
});

test('pages that contradict each other are read in no way', () => {
  const [reading] = readings;
  const pages = reading ? pagesOf(reading) : [];
  assert.deepEqual(readSegments(all, [...pages, { n1: 0, n2: 2, entries: ['b', 'a'] }]), { left: [] });
});

const orders: [name: string, made: string[], listed: string[], order: string | undefined][] = [
  ['oldest first', ['a', 'b', 'c'], ['x', 'a', 'b', 'c'], 'oldest first'],
  ['newest first', ['a', 'b', 'c'], ['c', 'b', 'a', 'x'], 'newest first'],
  ['neither', ['a', 'b', 'c'], ['b', 'a', 'c'], undefined],
  ['one is missing', ['a', 'b', 'c'], ['a', 'b'], undefined],
];

for (const [name, made, listed, order] of orders)
  test(`order: ${name}`, () => assert.equal(orderOf(made, listed), order));
