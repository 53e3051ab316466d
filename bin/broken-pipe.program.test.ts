import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';

test('a reader that stops reading ends the command without a stack', () => {
  const command = `"${process.execPath}" bin/sextant.ts openapi --env local | head -n 1`;
  const { stdout, stderr } = spawnSync('sh', ['-c', command], {
    cwd: join(import.meta.dirname, '..'),
    encoding: 'utf8',
  });
  assert.equal(stdout, '{\n');
  assert.equal(stderr, '');
});
