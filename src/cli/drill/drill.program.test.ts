import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { seeded, startService } from '../../../reference-service/index.ts';
import { loadEnvironment } from '../../environment/index.ts';
import { takeUsers } from '../../safety/index.ts';
import { startCommand, until } from '../../testing/programs/run-command.ts';
import { runInProcess } from '../../testing/programs/run-in-process.ts';
import { ownEnvironments, ownFolder } from '../../testing/servers/own-service.ts';
import { environmentText, seededData } from '../../testing/test-environment.ts';

const NAME = 'drilled';
const data = join(ownFolder(), 'state.db');
const service = await startService({ port: 0, data, quiet: true });
const database = new DatabaseSync(data);
after(async () => {
  database.close();
  await service.stop();
});

// The environment has no provisioner, so every scenario of the drill uses the same two users, whose tokens are in this file.
const keys = { ...seededData, FRIEND_ACCESS_TOKEN: seeded.friend.accessToken, SLOW_AFTER_MS: 2_000 };
const { env } = ownEnvironments({ [NAME]: environmentText(service.addresses, keys) });
Object.assign(process.env, env);

database.exec(`
  INSERT INTO blocks VALUES ('user-ada', 'user-old-foe', '2026-01-01T00:00:00.000Z');
  INSERT INTO loves VALUES ('user-cleo', 'story-lighthouse');
  INSERT INTO profiles VALUES ('user-ada', '{"name":"Ada","status":"sailing","url":"https://a.test/1.png","gender":2}');
`);
const snapshot = () =>
  JSON.stringify(
    ['blocks', 'loves', 'profiles', 'avatars', 'items'].map((table) =>
      database.prepare(`SELECT * FROM ${table} ORDER BY 1, 2`).all(),
    ),
  );
const before = snapshot();
const isDirty = () => snapshot() !== before;

test('a drill that is killed leaves nothing that `undo` does not take back; Ctrl-C leaves nothing at all', async () => {
  const killed = startCommand(['drill', '--yes', '--env', NAME], env);
  await until(() => killed.said().split('caught').length > 4 && isDirty(), killed, 1);
  killed.child.kill('SIGKILL');
  await killed.ended;
  const { code, out, err } = await runInProcess(['undo', '--env', NAME]);
  assert.equal(code, 0, out + err);
  assert.equal(snapshot(), before);

  const next = runInProcess(['drill', '--yes', '--env', NAME]);
  while (!isDirty()) await wait(1);
  process.emit('SIGINT');
  const ended = await next;
  assert.equal(ended.code, 3, ended.out + ended.err);
  assert.match(ended.err, /: stopped after \d+ of \d+ faults\.\n$/);
  assert.equal(snapshot(), before);
});

test('Ctrl-C ends a drill that waits for another run, or finds out what it will send', async () => {
  const release = await takeUsers(loadEnvironment(NAME), { say: assert.fail });
  const waiting = startCommand(['drill', '--yes', '--env', NAME, '--fault', 'block-not-written'], env);
  await until(() => waiting.said().includes('waiting for another run'), waiting);
  waiting.child.kill('SIGINT');
  assert.equal(await waiting.ended.finally(release), 3, waiting.said());
  assert.match(waiting.said(), /: stopped after 0 of 1 fault\.\n$/);

  const listening = process.listenerCount('SIGINT');
  const early = runInProcess(['drill', '--yes', '--env', NAME, '--fault', 'block-not-written']);
  while (process.listenerCount('SIGINT') === listening) await wait(20);
  process.emit('SIGINT');
  const { code, out, err } = await early;
  assert.equal(code, 3, out + err);
  assert.match(err, /^\w+: stopped after 0 of 1 fault\.\n$/);
});

test('some faults give one document; --fail-under is the gate', async () => {
  const flags = ['--json', '--fault', '?l*-not-written', '--fail-under', '60'];
  const { code, out, err } = await runInProcess(['drill', '--env', NAME, ...flags]);
  assert.equal(code, 1, out + err);
  const document = JSON.parse(out);
  assert.deepEqual(Object.keys(document), ['environment', 'faults', 'requests', 'durationMs']);
  const [block, clone] = document.faults;
  const { by, reason, ...rest } = block;
  assert.deepEqual(rest, { name: 'block-not-written', operation: 'block', kind: 'state', caught: true });
  assert.ok(by && reason);
  assert.deepEqual([clone.caught, clone.by], [false, null]);
  assert.match(clone.reason, /no documented request reads what the operation changes/);
  assert.equal(snapshot(), before);
});
