import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Control, usedUpLines } from './controls.ts';

const rows: readonly (readonly [name: string, controls: readonly Control[], lines: readonly string[]])[] = [
  ['none', [], []],
  ['a control that leaves nothing', [{ operation: 'love' }], []],
  [
    'two of one kind and one of another',
    [
      { operation: 'cloneType', usedUp: 'a clone of TYPE_NAME' },
      { operation: 'deleteItem', usedUp: 'a stored item' },
      { operation: 'cloneType', usedUp: 'a clone of TYPE_NAME' },
    ],
    [
      'qa: used up by the valid requests that refusals are compared with: a clone of TYPE_NAME (2 times), a stored item (1 time)',
    ],
  ],
];

for (const [name, controls, lines] of rows)
  test(`what controls used up: ${name}`, () => assert.deepEqual(usedUpLines('qa', controls), lines));
