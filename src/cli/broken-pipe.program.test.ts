import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { projectRoot } from '../config/project-root.ts';

test('a reader that stops reading ends the command without a stack', () => {
  const command = `"${process.execPath}" src/cli/sextant.ts openapi --env local | head -n 1`;
  const { stdout, stderr } = spawnSync('sh', ['-c', command], {
    cwd: projectRoot,
    encoding: 'utf8',
  });
  assert.equal(stdout, '{\n');
  assert.equal(stderr, '');
});
