import assert from 'node:assert/strict';
import { test } from 'node:test';
import { missingPackages } from './development-packages.ts';

const locked = {
  '': {},
  'node_modules/used': { version: '1.0.0' },
  'node_modules/linter': { version: '2.0.0', dev: true },
  'node_modules/linter-for-windows': { version: '2.0.0', dev: true, optional: true },
};

const rows: [name: string, installed: Parameters<typeof missingPackages>[1], missing: string[]][] = [
  ['without development', { 'node_modules/used': { version: '1.0.0' } }, ['node_modules/linter']],
  ['in an older version', { 'node_modules/linter': { version: '1.9.0' } }, ['node_modules/linter']],
  ['complete for this platform', { 'node_modules/linter': { version: '2.0.0' } }, []],
];

for (const [name, installed, missing] of rows)
  test(`packages installed ${name}`, () => assert.deepEqual(missingPackages(locked, installed), missing));
