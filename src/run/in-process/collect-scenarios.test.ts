import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ownFolder } from '../../testing/own-folder.ts';
import { ownFolders } from './collect-scenarios.ts';

test('scenarios are those of tests/scenarios and of the team’s own folders next to it, not those that belong to another command', () => {
  const [program, team] = [ownFolder(), ownFolder()];
  for (const folder of ['scenarios', 'auth', 'robustness', 'stateful', 'facts']) mkdirSync(join(program, folder));
  for (const folder of ['scenarios', 'mine', 'auth']) mkdirSync(join(team, folder));
  writeFileSync(join(team, 'README.md'), '');
  assert.deepEqual(ownFolders([program, team, join(team, 'none')]), ['scenarios', 'mine']);
});
