import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { runInProcess } from '../../testing/programs/run-in-process.ts';
import { ownFolder } from '../../testing/servers/own-service.ts';

test('the document that the program prints has no difference from what was observed, either way round', async () => {
  const path = join(ownFolder(), 'own.json');
  writeFileSync(path, (await runInProcess(['openapi', '--env', 'local'])).out);
  for (const sides of [
    [path, 'local'],
    ['local', path],
  ]) {
    const { code, out } = await runInProcess(['compare', ...sides]);
    assert.equal(out, `${sides[0]} → ${sides[1]}: 0 breaking, 0 unknown, 0 safe\n`);
    assert.equal(code, 0);
  }
  const { code, err } = await runInProcess(['compare', path, path]);
  assert.deepEqual([code, /Both are OpenAPI documents/.test(err)], [2, true]);
});
