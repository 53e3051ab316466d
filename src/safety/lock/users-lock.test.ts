import assert from 'node:assert/strict';
import { once } from 'node:events';
import { cpSync, existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import type { AreaId } from '../../service/index.ts';
import { ownFolder } from '../../testing/own-folder.ts';
import { startChild } from '../../testing/programs/child.ts';
import { testEnvironment } from '../../testing/test-environment.ts';
import { takeLock, tryLock, withLock } from './exclusive-lock.ts';
import { otherHolder, shareWithChildren, takeUsers, usersOf } from './users-lock.ts';

const state = ownFolder();
process.env.SEXTANT_STATE = state;
const environment = testEnvironment('http://127.0.0.1:9');
const silently = { say: assert.fail };

test('a lock keeps others out until it is given back, whatever the work did; given back twice, it is taken from nobody', async () => {
  const lock = join(state, 'test.sqlite');
  let inside = 0;
  const work = async () => {
    assert.equal(++inside, 1);
    await new Promise(setImmediate);
    inside--;
  };
  await Promise.all([withLock(lock, work), withLock(lock, work), withLock(lock, work)]);
  const fails = () => Promise.reject(new Error('boom'));
  await assert.rejects(withLock(lock, fails), /boom/);
  const first = tryLock(lock);
  first?.();
  const second = tryLock(lock);
  first?.();
  assert.equal(tryLock(lock), undefined);
  second?.();
});

test('who has waited long looks less often: many that wait must not starve the one that works', async (t) => {
  const lock = join(state, 'busy.sqlite');
  const release = tryLock(lock);
  // This clock goes forward 6 s at each attempt, so the test need not wait that long.
  let clock = 0;
  t.mock.method(performance, 'now', () => clock);
  const looks: number[] = [];
  const stop = new AbortController();
  const onWait = () => {
    looks.push(Date.now());
    clock += 6_000;
    if (looks.length === 3) stop.abort();
  };
  await assert.rejects(takeLock(lock, { onWait, signal: stop.signal }), { name: 'AbortError' });
  release?.();
  const [, second = 0, third = 0] = looks;
  assert.ok(third - second > 550, `${third - second}`);
});

test('a folder whose file system locks nothing is named: no other run is waited for', (t) => {
  // SQLite reports a file system without locks (ENOLCK) like a lock that somebody holds.
  t.mock.method(DatabaseSync.prototype, 'exec', () => {
    throw Object.assign(new Error('database is locked'), { errcode: 5 });
  });
  const folder = ownFolder();
  assert.throws(
    () => tryLock(join(folder, 'a.sqlite')),
    /is on a file system that locks no files\. Use a local disk, or name/,
  );
  assert.deepEqual(readdirSync(folder), ['a.sqlite']);
});

test('a lock that is a link is not followed: the database behind it stays as it was', () => {
  const folder = ownFolder();
  const [target, lock] = [join(folder, 'another.sqlite'), join(folder, 'lock.sqlite')];
  writeFileSync(target, '');
  symlinkSync(target, lock);
  assert.throws(() => tryLock(lock), /is a link, and a lock must be a file of its own\. Remove it/);
  assert.equal(readFileSync(target, 'utf8'), '');
  symlinkSync(join(folder, 'missing'), `${lock}2`);
  assert.throws(() => tryLock(`${lock}2`), /is a link/);
  assert.ok(!existsSync(join(folder, 'missing')));
});

/** Starts a process that takes the environment's users as soon as they are free, and then prints `held`. */
function holder() {
  const testing = join(import.meta.dirname, '..', '..', 'testing', 'test-environment.ts');
  const script = `
    import { takeUsers } from ${JSON.stringify(join(import.meta.dirname, 'users-lock.ts'))};
    import { testEnvironment } from ${JSON.stringify(testing)};
    const say = (line) => process.stdout.write(line + '\\n');
    const release = await takeUsers(testEnvironment('http://127.0.0.1:9'), { say });
    process.stdout.write('held\\n');
    process.once('message', () => { release(); process.disconnect(); });
  `;
  const child = startChild(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    env: { ...process.env, SEXTANT_STATE: state },
  });
  const stdout = child.stdout as NodeJS.ReadableStream;
  stdout.setEncoding('utf8');
  return Object.assign(child, { stdout });
}

test('two processes with one folder: whoever waits says for whom, and has its turn when the other is killed', async () => {
  const first = holder();
  assert.match(`${await once(first.stdout, 'data')}`, /held/);
  const said: string[] = [];
  const taken = takeUsers(environment, { say: (line) => said.push(line) });
  assert.equal(otherHolder(usersOf(environment))?.pid, first.pid);
  while (said.length === 0) await wait(20);
  assert.match(
    said.join(),
    new RegExp(`^test: waiting for another run \\(.*process ${first.pid}\\), which acts as the same users\\.`),
  );
  first.kill('SIGKILL');
  (await taken)();
  assert.equal(said.length, 1);
  assert.equal(otherHolder(usersOf(environment)), undefined);
});

test('a stopped process keeps its lock: nothing it does later may meet another run', async () => {
  const first = holder();
  await once(first.stdout, 'data');
  first.kill('SIGSTOP');
  const stop = new AbortController();
  const waiting = takeUsers(environment, { say: () => stop.abort(), signal: stop.signal });
  await assert.rejects(waiting, { name: 'AbortError' });
  first.kill('SIGCONT');
  first.send('go');
  (await takeUsers(environment, { say: () => {} }))();
});

test('a copied folder, as a restored cache of a CI job has it, holds nothing', async () => {
  const release = await takeUsers(environment, silently);
  const copy = ownFolder();
  cpSync(state, copy, { recursive: true });
  process.env.SEXTANT_STATE = copy;
  (await takeUsers(environment, silently))();
  process.env.SEXTANT_STATE = state;
  release();
});

test('between two turns of a process that works on and on, another process that waits has its own', async () => {
  let release = await takeUsers(environment, { ...silently, areas: ['stories'] });
  const other = holder();
  const held = once(other.stdout, 'data');
  const next = join(state, 'locks', `${usersOf(environment)}-next.sqlite`);
  for (let free = tryLock(next); free; free = tryLock(next)) {
    free();
    await wait(20);
  }
  // While the other process waits for the lock, work in another area of this process may not share the lock with the work that holds it.
  let isMine = false;
  const again = takeUsers(environment, { say: () => {}, areas: ['profile'] }).then((taken) => {
    isMine = true;
    return taken;
  });
  await wait(100);
  assert.ok(!isMine);
  release();
  assert.match(`${await held}`, /held/);
  assert.ok(!isMine);
  other.send('go');
  release = await again;
  release();
});

const pairs: [first: AreaId[] | undefined, second: AreaId[] | undefined, isApart: boolean][] = [
  [undefined, undefined, false],
  [['friends'], ['stories'], false],
  [['stories'], ['profile'], true],
  [['gameDesign'], undefined, false],
  [['friends'], ['gameDesign'], true],
  [['features'], ['gameDesign'], true],
  [[], ['friends'], true],
];

for (const [first, second, isApart] of pairs) {
  test(`within a process, ${first ?? 'all'} and ${second ?? 'all'}: ${isApart ? 'at once' : 'one after the other'}`, async () => {
    const release = await takeUsers(environment, { ...silently, areas: first });
    const stop = new AbortController();
    const next = takeUsers(environment, { ...silently, signal: stop.signal, areas: second });
    if (isApart) (await next)();
    else {
      setTimeout(() => stop.abort(), 50);
      await assert.rejects(next, { name: 'AbortError' });
    }
    release();
    // After an aborted wait, nothing is locked.
    (await takeUsers(environment, silently))();
    assert.equal(otherHolder(usersOf(environment)), undefined);
  });
}

test('the child processes of a run that holds the users wait for nobody', async () => {
  const release = await takeUsers(environment, silently);
  const stopSharing = shareWithChildren(environment);
  const child = holder();
  assert.match(`${await once(child.stdout, 'data')}`, /^held/);
  child.send('go');
  await once(child, 'exit');
  stopSharing();
  release();
});

for (const [why, changes] of [
  ['only reads', { ALLOWED_EFFECTS: 'read' }],
  ['has users of its own', { PROVISION_URL: 'http://127.0.0.1:9/' }],
] as const)
  test(`an environment that ${why} needs no lock`, async () => {
    const other = testEnvironment('http://127.0.0.1:9', changes);
    const release = await takeUsers(other, silently);
    (await takeUsers(other, silently))();
    release();
  });

test('whoever needs several areas is not overtaken for ever by those that need one of them', async () => {
  const order: string[] = [];
  const enter = async (name: string, areas?: AreaId[]) => {
    const leave = await takeUsers(environment, { ...silently, areas });
    order.push(name);
    return leave;
  };
  const first = await enter('stories', ['stories']);
  const all = enter('all');
  const late = enter('profile', ['profile']);
  await wait(50);
  assert.deepEqual(order, ['stories']);
  first();
  (await all)();
  (await late)();
  assert.deepEqual(order, ['stories', 'all', 'profile']);
});
