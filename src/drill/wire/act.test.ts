import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emptied, inJson, nulled, retold, without } from './act.ts';

const id = 'user-7';
const list = { items: [{ user: id }, { user: 'user-8' }], total: 2 };

const rows: [what: string, found: unknown, expected: unknown][] = [
  ['an entry of a list goes', without(list, id), { items: [{ user: 'user-8' }], total: 2 }],
  ['a bare id goes', without([id, 'user-8'], id), ['user-8']],
  ['an id in a longer text goes', without([`/v1/users/${id}`, 'x'], id), ['x']],
  ['a key of a map goes', without({ users: { [id]: {}, 'user-8': {} } }, id), { users: { 'user-8': {} } }],
  ['of a list in a list the inner entry goes', without([{ page: [id, 'a'] }], id), [{ page: ['a'] }]],
  ['a value of an object is null', without({ value: id }, id), { value: null }],
  ['what does not mention it stays', without(list, 'user-9'), list],
  ['every list is empty', emptied({ a: [1], b: { c: [2] }, d: 'x' }), { a: [], b: { c: [] }, d: 'x' }],
  ['ids are null', nulled(list, id), { items: [{ user: null }, { user: 'user-8' }], total: 2 }],
  ['a body that is no JSON stays', inJson('<html>', emptied), '<html>'],
  ['a response is retold', retold('{"blocked":"a"}', '{"friendId":"a"}', '{"friendId":"b"}'), '{"blocked":"b"}'],
];

for (const [what, found, expected] of rows) test(what, () => assert.deepEqual(found, expected));
