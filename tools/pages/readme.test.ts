import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { projectRoot } from '../../src/config/project-root.ts';

const FIRST_SCREEN = 20;

test("the README's first screen has the two commands that set up a fresh machine, and what they take", () => {
  const screen = readFileSync(join(projectRoot, 'README.md'), 'utf8').split('\n').slice(0, FIRST_SCREEN).join('\n');
  const { scripts } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'));
  for (const [command, script] of [
    ['npm ci && npm start', 'start'],
    ['npm ci && npm test', 'test'],
  ] as const) {
    assert.match(screen, new RegExp(`^${command}\\b`, 'm'));
    assert.ok(scripts[script], script);
  }
  for (const need of [/Node 20/, /npm 10/, /`npm test` takes .*minutes/s, /skipped where there is none/])
    assert.match(screen, need);
});
