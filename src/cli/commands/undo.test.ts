import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { loadEnvironment } from '../../environment/index.ts';
import { Journal, readJournals, takeUsers } from '../../safety/index.ts';
import { runInProcess } from '../../testing/programs/run-in-process.ts';
import { Arrivals } from '../../testing/servers/arrivals.ts';
import { ownEnvironments, ownService } from '../../testing/servers/own-service.ts';
import { environmentText, seededData } from '../../testing/test-environment.ts';

const NAME = 'undone';
const service = await ownService();
const arrivals = new Arrivals();
const { folder, environments, env } = ownEnvironments({ [NAME]: environmentText(service.addresses, seededData) });
const state = join(folder, 'state');
Object.assign(process.env, { ...env, SEXTANT_STATE: state, CI: '' });
const environment = loadEnvironment(NAME);
const { caller, addresses } = environment;
beforeEach(() => rmSync(state, { recursive: true, force: true }));
const pendingChanges = () => readJournals(environment).flatMap(({ pending }) => pending);

async function run(...args: string[]) {
  const { code: status, out, err } = await runInProcess(args);
  return { status, said: out + err };
}

/** Records a change that a scenario made and didn't undo before its run ended. */
async function leaveBehind(base = addresses.friends.href): Promise<void> {
  const journal = new Journal(environment);
  const args = { friendId: 'somebody' };
  const { id } = await journal.add({
    change: 'block',
    undo: 'unblock',
    args,
    as: 'caller',
    userId: caller.userId,
    base,
  });
  journal.made(id, true);
  journal.end();
}

test('undo says that there is nothing, then what it undid, then nothing again', async () => {
  assert.deepEqual(await run('undo', '--env', NAME), { status: 0, said: `${NAME}: nothing to undo.\n` });
  await leaveBehind();
  const elsewhere = await run('undo', '--env', NAME, '--set', 'FRIEND_URL=http://127.0.0.1:9');
  assert.match(elsewhere.said, /^undone: nothing to undo\.\nWarning: undone runs with FRIEND_URL=.*, from --set\n$/);
  const { status, said } = await run('undo', '--env', NAME);
  assert.equal(status, 0, said);
  assert.match(
    said,
    /^undone: undid 1 change left behind by an earlier run\.\n {2}undone {2}block .*: unblock: 200\n$/,
  );
  assert.deepEqual(
    arrivals.all.slice(-2).map(({ path }) => path),
    ['/v1/friends/unblock', '/v1/friends/block/0/100'],
    'undone, and seen to be',
  );
  assert.deepEqual(pendingChanges(), []);
});

test('undo ends in 1 while something can’t be undone, and --forget strikes it out', async () => {
  await leaveBehind('http://127.0.0.1:9/');
  const left = await run('undo', '--env', NAME);
  assert.equal(left.status, 1);
  assert.match(
    left.said,
    /^undone: 1 change could not be undone\.\n {2}LEFT {4}block .*: made at http:\/\/127\.0\.0\.1:9\//,
  );
  const forgotten = await run('undo', '--env', NAME, '--forget');
  assert.equal(forgotten.status, 0);
  assert.match(forgotten.said, /^undone: forgot 1 change that could not be undone\.\n {2}forgot {2}block /);
  assert.deepEqual(pendingChanges(), []);
});

test('undo needs no facts: a mistake in their file is named, and what is left is undone', async () => {
  await leaveBehind();
  const facts = join(environments, `${NAME}.facts.json`);
  writeFileSync(facts, '{');
  const { status, said } = await run('undo', '--env', NAME);
  rmSync(facts);
  assert.equal(status, 0, said);
  assert.match(said, /undone\.facts\.json\n {4}facts {2}are not JSON.*\nUndo does not need this, so it continues\./);
  assert.match(said, /^undone: undid 1 change/m);
});

test('undo that is stopped while it waits for another run says what is left, and ends in 1', async () => {
  await leaveBehind();
  const release = await takeUsers(environment, { say: assert.fail });
  const before = process.listenerCount('SIGINT');
  const undoing = run('undo', '--env', NAME);
  while (process.listenerCount('SIGINT') === before) await wait(5);
  process.emit('SIGINT');
  assert.deepEqual(await undoing, { status: 1, said: `${NAME}: stopped before it had undone 1 change.\n` });
  release();
});

test('check undoes what is left before anything else, and says so apart from its own output', async () => {
  await leaveBehind();
  const heard = await arrivals.during(async () => {
    const { status, said } = await run('check', '--env', NAME, '--scenario', '*flag with default');
    assert.equal(status, 0, said);
    assert.match(said, /undid 1 change left behind by an earlier run/);
    assert.match(said, /passed \(1 passed\), \d+ requests? in/);
  });
  const [undo, list, ...others] = heard.map(({ path }) => path);
  assert.deepEqual([undo, list], ['/v1/friends/unblock', '/v1/friends/block/0/100']);
  assert.ok(others.length > 0 && others.every((path) => path === '/v1/apikey/feature'));
});
