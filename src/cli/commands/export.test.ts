import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { runInProcess } from '../../testing/programs/run-in-process.ts';
import { ownFolder } from '../../testing/servers/own-service.ts';

const folder = ownFolder();

test('export writes files or prints', async () => {
  const printed = await runInProcess(['export', '--env', 'local', '--format', 'http']);
  assert.equal(printed.code, 0, printed.err);
  assert.match(printed.out, /^# local: the operations/);
  const output = join(folder, 'postman');
  const written = await runInProcess(['export', '--env', 'local', '--format', 'postman', '--output', output]);
  assert.equal(written.code, 0, written.err);
  const files = readdirSync(output, { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
  assert.equal(written.out.split('\n').length - 1, files.length);
  assert.match(readFileSync(join(output, 'local.postman_collection.json'), 'utf8'), /bearer \{\{ACCESS_TOKEN\}\}/);
});
