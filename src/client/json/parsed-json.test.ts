import assert from 'node:assert/strict';
import { test } from 'node:test';
import { valueAt } from './parsed-json.ts';

const document = { code: 0, 'a/b': { '~': [1, { x: null }] } };
const rows: [pointer: string, value: unknown][] = [
  ['', document],
  ['/code', 0],
  ['/a~1b/~0/0', 1],
  ['/a~1b/~0/1/x', null],
  ['/nothing', undefined],
  ['/code/deeper', undefined],
  ['/__proto__', undefined],
  ['/constructor/name', undefined],
];

for (const [pointer, value] of rows) {
  test(`${pointer || '(whole)'} → ${JSON.stringify(value)}`, () => assert.deepEqual(valueAt(document, pointer), value));
}
