import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { runInProcess } from '../../testing/programs/run-in-process.ts';
import { ownFolder } from '../../testing/servers/own-service.ts';

test('the command writes files or prints', async () => {
  const folder = ownFolder();
  const printed = await runInProcess(['export', '--env', 'local', '--format', 'http']);
  assert.equal(printed.code, 0, printed.err);
  assert.match(printed.out, /^# local: the operations/);
  const written = await runInProcess(['export', '--env', 'local', '--format', 'bruno', '--output', folder]);
  assert.equal(written.code, 0, written.err);
  assert.equal(
    written.out.split('\n').length - 1,
    readdirSync(folder, { recursive: true, withFileTypes: true }).filter((each) => each.isFile()).length,
  );
  assert.match(readFileSync(join(folder, 'Friends', 'block.bru'), 'utf8'), /bearer \{\{ACCESS_TOKEN\}\}/);
});
