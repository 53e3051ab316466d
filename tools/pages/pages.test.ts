import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { projectRoot } from '../../src/config/project-root.ts';

const read = (file: string) => readFileSync(join(projectRoot, file), 'utf8');
const { scripts, dependencies, devDependencies } = JSON.parse(read('package.json')) as Readonly<
  Record<string, Readonly<Record<string, string>>>
>;

const FIRST_SCREEN = 20;

test("the README's first screen has the two commands that set up a fresh machine, and what they take", () => {
  const screen = read('README.md').split('\n').slice(0, FIRST_SCREEN).join('\n');
  for (const [command, script] of [
    ['npm ci && npm start', 'start'],
    ['npm ci && npm test', 'test'],
  ] as const) {
    assert.match(screen, new RegExp(`^${command}\\b`, 'm'));
    assert.ok(scripts?.[script], script);
  }
  for (const need of [/Node 20/, /npm 10/, /`npm test` takes .*minutes/s, /skipped where there is none/])
    assert.match(screen, need);
});

test('docs/libraries.md names every library that the project depends on, and no other', () => {
  const rows = read('docs/libraries.md').match(/^\| `.*?\|/gm) ?? [];
  const named = rows.flatMap((row) => [...row.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name));
  const runtimes = named.filter((name) => /^node-/.test(name));
  assert.deepEqual(
    named.filter((name) => !runtimes.includes(name)).sort(),
    Object.keys({ ...dependencies, ...devDependencies }).sort(),
  );
});
