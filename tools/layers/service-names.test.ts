import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serviceNames } from './service-names.ts';

const engine = 'src/runner/run-all.ts';

const rows: [what: string, text: string, found: RegExp | undefined, file?: string][] = [
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
  ['words that only contain a name', "const text = 'blocked, reports and lovely profiles';", undefined],
  ['facts', "const lists = operationsWith('isPaged').map(({ area }) => area);", undefined],
  ["Node's own features", 'const types = process.features.typescript;', undefined],
  ['the command `report`', "const command = new Command('report');", undefined, 'src/cli/commands/report.ts'],
  ['the specification', "const id = 'block';", undefined, 'src/spec/operations.ts'],
  ["the survey's questions", "const id = 'block';", undefined, 'src/survey/experiments/success.ts'],
  ['a spec', 'await friends.block({});', undefined, 'tests/scenarios/a.spec.ts'],
  ['a test', "const id = 'block';", undefined, 'src/runner/a.test.ts'],
];

for (const [what, text, found, file = engine] of rows)
  test(`${what}: ${found ? 'refused' : 'allowed'}`, () => {
    if (found) assert.match(serviceNames(file, text).join('\n'), found);
    else assert.deepEqual(serviceNames(file, text), []);
  });
