import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { projectRoot } from '../../src/config/project-root.ts';

type Dependencies = Readonly<Record<string, string>>;

test('docs/libraries.md names every library that the project depends on, and no other', () => {
  const read = (file: string) => readFileSync(join(projectRoot, file), 'utf8');
  const { dependencies, devDependencies } = JSON.parse(read('package.json')) as Readonly<Record<string, Dependencies>>;
  const rows = read('docs/libraries.md').match(/^\| `.*?\|/gm) ?? [];
  const named = rows.flatMap((row) => [...row.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name));
  const runtimes = named.filter((name) => /^node-/.test(name));
  assert.deepEqual(
    named.filter((name) => !runtimes.includes(name)).sort(),
    Object.keys({ ...dependencies, ...devDependencies }).sort(),
  );
});
