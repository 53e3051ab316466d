import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Exchange } from '../../../client/index.ts';
import { entryKeys, listPlace } from './entries.ts';

const exchange = (value: unknown) => ({ response: { body: { text: '', json: { ok: true, value } } } }) as Exchange;
const known = ['user-1', 'user-2', 'user-3'];

const rows: [what: string, value: unknown, keys: string[]][] = [
  ['a bare list', ['user-3', 'user-1'], ['user-3', 'user-1']],
  ['a list of records', { total: 2, page: [{ id: 'user-2' }, { id: 'user-1' }] }, ['user-2', 'user-1']],
  ['a map by id', { 'user-2': { at: 1 }, 'user-3': {} }, ['user-2', 'user-3']],
  ['a map by id in an envelope', { ok: true, users: { 'user-1': {}, 'user-3': {} } }, ['user-1', 'user-3']],
  ['a list after another one', { tags: ['a', 'b', 'c'], users: ['user-1', 'user-2'] }, ['user-1', 'user-2']],
  ['one entry', { list: [{ id: 'user-1', name: 'x' }] }, ['user-1']],
  ["other people's entries between", ['user-1', 'ada', 'user-2'], ['user-1', '"ada"', 'user-2']],
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
