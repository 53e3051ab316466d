import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ShownField, shownField } from './shown-fields.ts';

const rows: [what: string, response: unknown, field: ShownField, shown: string[]][] = [
  ['a flat profile', { name: 'ada', status: 'away' }, 'status', ['away']],
  ['an envelope whose status is not the profile’s', { status: 'ok', data: { name: 'ada' } }, 'status', []],
  [
    'one of several records',
    [
      { name: 'ben', status: 'x' },
      { name: 'ada', statusText: 'y' },
    ],
    'status',
    ['y'],
  ],
  ['an address under its odd name', { name: 'ada', avartarUrl: 'http://x/1.png' }, 'url', ['http://x/1.png']],
  ['an avatar that is a text', { name: 'ada', avatar: 'http://x/1.png' }, 'url', ['http://x/1.png']],
  ['an avatar that is a record, or none', { name: 'ada', avatar: null }, 'url', []],
  ['an address that was cleared', { name: 'ada', url: null }, 'url', ['null']],
  ['nothing but the name', { name: 'ada' }, 'url', []],
];

for (const [what, response, field, shown] of rows)
  test(`${field} of ${what}`, () => assert.deepEqual(shownField(response, field, { name: 'ada' }).values, shown));
