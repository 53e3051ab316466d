import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serviceNames } from './service-names.ts';

// Words, facts and files that are allowed are in the project, and `npm run check` finds nothing against them.
const rows: [what: string, text: string, found: RegExp][] = [
  [
    'an id',
    "const id = 'block';",
    /run-all\.ts:1: the engine names `block`.*a fact of its entry.*src\/spec\/operations\.ts/,
  ],
  ['an id in a type', "type Id = 'love' | 'other';", /`love`/],
  ['a call', 'await clients.any.unblock({});', /`unblock`/],
  ['an area of a record', 'const url = addresses.friends.href;', /`friends`/],
  ['an area as a key', 'const all = {\n  stories: 1,\n};', /:2: .*`stories`/],
  ['a call in a text', 'const cure = `write await friends.listBlocked()`;', /`friends\.listBlocked`/],
  ['a table by operation', 'const keys = { evaluate: 1 };', /`evaluate`/],
  ['a number of operations', '/** All fourteen. */', /"fourteen".*operationIds\.length/],
  ['a number of areas', "const text = 'Six areas';", /"Six areas"/],
];

for (const [what, text, found] of rows)
  test(`${what}: refused`, () => assert.match(serviceNames('src/runner/run-all.ts', text).join('\n'), found));
