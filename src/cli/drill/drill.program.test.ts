import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { seeded, startService } from '../../../reference-service/index.ts';
import { ran, startCommand, until } from '../../testing/programs/run-command.ts';
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

// Without a provisioner, so that every scenario acts as the same two users.
const keys = { ...seededData, FRIEND_ACCESS_TOKEN: seeded.friend.accessToken, SLOW_AFTER_MS: 2_000 };
const { folder, env } = ownEnvironments({ [NAME]: environmentText(service.addresses, keys) });
const startDrill = () => startCommand(['drill', '--yes', '--env', NAME], env);

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

test('a drill that is killed leaves nothing that `undo` does not take back', async () => {
  for (const begun of [2, 6]) {
    const drill = startDrill();
    await until(() => drill.said().split('caught').length > begun && isDirty(), drill, 1);
    drill.child.kill('SIGKILL');
    await drill.ended;
    await ran(['undo', '--env', NAME], env);
    assert.equal(snapshot(), before);
  }
});

test('Ctrl-C leaves nothing at all', async () => {
  const drill = startDrill();
  await until(() => drill.said().split('caught').length > 3 && isDirty(), drill, 1);
  drill.child.kill('SIGINT');
  assert.equal(await drill.ended, 3, drill.said());
  assert.match(drill.said(), /\d faults drilled\.$/m);
  assert.equal(snapshot(), before);
});

test('some faults give one document, a page and a badge; --fail-under is the gate', async () => {
  const flags = ['--json', '--fault', '?l*-not-written', '--fail-under', '60'];
  const said = await ran(['drill', '--env', NAME, ...flags], env, 1);
  // What an interrupted drill left is undone first, and said on stderr.
  const document = JSON.parse(/^\{.*/ms.exec(said)?.[0] ?? '');
  assert.deepEqual(Object.keys(document), ['environment', 'faults', 'requests', 'durationMs']);
  const [block, clone] = document.faults;
  assert.deepEqual(
    [block.name, block.operation, block.kind, block.caught],
    ['block-not-written', 'block', 'state', true],
  );
  assert.match(clone.reason, /no request that the specification shows reads what it changes/);
  const page = (type: string) => readFileSync(join(folder, 'output', 'drill', `${NAME}.${type}`), 'utf8');
  assert.match(page('html'), /1 of 2 faults would turn the gate red/);
  assert.match(page('svg'), /1 of 2 faults/);
  assert.equal(snapshot(), before);
});
