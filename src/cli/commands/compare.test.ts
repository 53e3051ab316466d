import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { runInProcess } from '../../testing/programs/run-in-process.ts';
import { ownFolder } from '../../testing/servers/own-service.ts';

const folder = ownFolder();

function file(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

const own = async () => (await runInProcess(['openapi', '--env', 'local'])).out;

test('the document that the program prints has no difference from what was observed, either way round', async () => {
  const path = file('own.json', await own());
  for (const sides of [
    [path, 'local'],
    ['local', path],
  ]) {
    const { code, out } = await runInProcess(['compare', ...sides]);
    assert.equal(out, `${sides[0]} → ${sides[1]}: 0 breaking, 0 unknown, 0 safe\n`);
    assert.equal(code, 0);
  }
});

test('a document that promises more breaks its consumers', async () => {
  const document = JSON.parse(await own());
  const { schema } = document.paths['/v1/friends/block'].post.responses[200].content['application/json'];
  schema.properties.since = { type: 'string' };
  schema.required.push('since');
  schema.properties.blocked = { type: 'string' };
  const path = file('promises.json', JSON.stringify(document));
  const { code, out } = await runInProcess(['compare', path, 'local', '--format', 'json']);
  const { differences, ...rest } = JSON.parse(out);
  assert.deepEqual(rest, { before: path, after: 'local', breaking: 2, unknown: 0, safe: 0 });
  assert.deepEqual(differences, [
    { operation: 'block', impact: 'breaking', what: 'response 200: /blocked string → boolean' },
    { operation: 'block', impact: 'breaking', what: 'response 200: /since is missing' },
  ]);
  assert.equal(code, 1);
});
