import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jsonPieces } from './json-pieces.ts';

test('pieces together are the JSON of the whole', () => {
  for (const value of [
    {},
    { a: 1 },
    { list: [], other: [1, 'two'] },
    { before: 'x', list: Array.from({ length: 350 }, (_, index) => ({ index })), after: { b: [null] } },
  ])
    assert.equal(jsonPieces(value).join(''), JSON.stringify(value));
  assert.equal(jsonPieces({ list: Array.from({ length: 350 }, () => 0) }).length, 7);
});
