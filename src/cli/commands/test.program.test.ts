import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { localElsewhere } from '../../testing/programs/local-elsewhere.ts';
import { leftAfter, processesWith } from '../../testing/programs/processes-with.ts';
import { isFree, ran, startCommand, until } from '../../testing/programs/run-command.ts';

const local = await localElsewhere();
const { base, env } = local;
/** A run that takes seconds; to list every test takes longer. */
const aWhile = ['test', '--area', 'friends'];

test('a pattern that no test matches ends in one clear error', async () => {
  const said = await ran(['test', '--grep', 'no such test'], env, 2);
  assert.match(said, /No test in local matches --grep 'no such test'\./);
  assert.doesNotMatch(said, /^\s+at /m);
});

test('one area runs where a port is taken: its service listens on others, with summary and report; nothing stays behind', async () => {
  const other = createServer().listen(base + 2, '127.0.0.1');
  await once(other, 'listening');
  /** Deletes an item, and resolves with what was said and where the service listened. */
  const elsewhere = async (...command: string[]) => {
    const said = await ran([...command, '--env', 'local', '--grep', 'delete by id'], env);
    const [, port] = /[Pp]orts .*in use, so (?:its|the embedded) service listens on (\d+)/.exec(said) ?? [];
    assert.ok(port, said);
    assert.ok(await isFree(Number(port)));
    return { said, port: Number(port) };
  };
  try {
    const { said, port } = await elsewhere('test', '--area', 'storage');
    assert.match(said, /Storage +1 +0 +0 +0 +0\n/);
    assert.match(said, /Report .*index\.html\n$/);
    const page = readFileSync(join(local.folder, 'output', 'report', 'index.html'), 'utf8');
    assert.match(page, /DecompressionStream/);
    assert.doesNotMatch(page, /googletagmanager/);
    const { common, environments } = JSON.parse(readFileSync(join(local.folder, 'output', 'run.json'), 'utf8'));
    assert.match(common['User agent'], /^sextant\//);
    assert.equal(environments.local.Storage, `http://127.0.0.1:${port + 5}/`);
    await elsewhere('check');
    const refused = await ran(['serve', '--env', 'local'], env, 2);
    assert.match(refused, new RegExp(`^Port ${base + 2} on .* in use\\. .*sextant serve --port \\d+.*\\n$`));
  } finally {
    other.close();
  }
});

test('an interrupted run ends with 130, its service stopped', async () => {
  const running = startCommand(aWhile, env);
  const { child, said, ended } = running;
  // The first dot: a worker is up.
  await until(() => said().includes('·'), running);
  child.kill('SIGINT');
  assert.equal(await ended, 130, said());
  assert.ok(await isFree(base));
});

const moments: [name: string, says: string][] = [
  ['before it has begun', ''],
  ['when it has begun', 'Running '],
  ['in its midst', '·'],
];
for (const [moment, says] of moments) {
  // Playwright loses the stop of a worker that isn't ready yet: then the run is ended after its 20 s for clean-up.
  test(`a run whose command is killed ${moment} ends, and so does its service`, async () => {
    const mark = { SEXTANT_TEST_RUN: moment };
    const variable = `SEXTANT_TEST_RUN=${moment}`;
    const running = startCommand(aWhile, { ...env, ...mark });
    await until(() => processesWith(variable).length > 1 && running.said().includes(says), running);
    running.child.kill('SIGKILL');
    assert.deepEqual(await leftAfter(25, variable), []);
    assert.ok(await isFree(base));
  });
}
