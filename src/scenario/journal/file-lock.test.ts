import assert from 'node:assert/strict';
import { once } from 'node:events';
import fs, { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { AreaId } from '../../spec/index.ts';
import { startChild } from '../../testing/programs/child.ts';
import { ownFolder } from '../../testing/servers/own-service.ts';
import { testEnvironment } from '../../testing/test-environment.ts';
import { tryLock, withLock } from './file-lock.ts';
import { isOfThisHost, isRunning, type Owner, thisProcess } from './owner.ts';
import { takeRunLock } from './run-lock.ts';

const state = ownFolder();

test('a lock keeps others out until it is given back, whatever the work did', async () => {
  const lock = join(state, 'test.lock');
  let inside = 0;
  const work = async () => {
    assert.equal(++inside, 1);
    await new Promise(setImmediate);
    inside--;
  };
  await Promise.all([withLock(lock, work), withLock(lock, work), withLock(lock, work)]);
  const fails = () => Promise.reject(new Error('boom'));
  await assert.rejects(withLock(lock, fails), /boom/);
  assert.deepEqual(readdirSync(state), []);
});

test('who gives a lock back twice takes it from nobody', () => {
  const lock = join(state, 'test.lock');
  const first = tryLock(lock);
  first?.();
  const second = tryLock(lock);
  first?.();
  assert.ok(second && existsSync(lock));
  second();
  assert.deepEqual(readdirSync(state), []);
});

test('the lock of a process that was killed is taken over', async () => {
  const lock = join(state, 'test.lock');
  const script = `
    import { withLock } from ${JSON.stringify(join(import.meta.dirname, 'file-lock.ts'))};
    await withLock(${JSON.stringify(lock)}, async () => { process.stdout.write('held'); await new Promise(() => setInterval(() => {}, 1000)); });
  `;
  const child = startChild(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  assert.ok(existsSync(lock));
  child.kill('SIGKILL');
  await once(child, 'exit');
  assert.equal(await withLock(lock, async () => 'mine'), 'mine');
});

const me = thisProcess();
test('of several that find a lock dead at once, one takes it over', (t) => {
  const lock = join(state, 'test.lock');
  writeFileSync(lock, JSON.stringify({ ...me, pid: 2 ** 30 }));
  const held: (() => void)[] = [];
  const tries = (count: number) => {
    for (let left = count; left > 0; left--) {
      const release = tryLock(lock);
      if (release) held.push(release);
    }
  };
  // Others come when it was found dead, and when it was looked at again.
  const others = [2, 1];
  let isOther = false;
  const read = fs.readFileSync;
  t.mock.method(fs, 'readFileSync', (...args: Parameters<typeof read>) => {
    const text = read(...args);
    if (isOther) return text;
    isOther = true;
    tries(others.shift() ?? 0);
    isOther = false;
    return text;
  });
  tries(1);
  assert.equal(held.length, 1);
  held[0]?.();
  assert.deepEqual(readdirSync(state), []);
});

const rows: [name: string, owner: Owner, isRunning: boolean][] = [
  ['this process', me, true],
  ['a later process with the same pid', { ...me, began: 'another' }, false],
  ['an unused pid', { ...me, pid: 2 ** 30 }, false],
];
for (const [name, owner, isLive] of rows)
  test(`${name} ${isLive ? 'runs' : 'does not run'}`, () => assert.equal(isRunning(owner), isLive));

test('a machine of the same name is another one', { skip: process.platform !== 'linux' && 'Linux tells' }, () => {
  const [name, start, container] = me.host.split(' ');
  assert.ok(isOfThisHost(me));
  assert.ok(!isOfThisHost({ ...me, host: [name, `${start?.slice(1)}0`, container].join(' ') }));
});

process.env.SEXTANT_STATE = ownFolder();
const environment = testEnvironment('http://127.0.0.1:9');

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
  test(`${first ?? 'all'} and ${second ?? 'all'}: ${isApart ? 'at once' : 'one after the other'}`, async () => {
    const release = await takeRunLock(environment, { say: () => {}, areas: first });
    const stop = new AbortController();
    const said: string[] = [];
    const say = (line: string) => {
      said.push(line);
      stop.abort();
    };
    const next = takeRunLock(environment, { signal: stop.signal, areas: second, say });
    if (isApart) (await next)();
    else await assert.rejects(next, { name: 'AbortError' });
    release();
    const waits = /^\w+: waiting for another run \(process \d+\), which acts as the same users\.[^\n]*$/;
    assert.match(said.join('\n'), isApart ? /^$/ : waits);
    // Giving up leaves nothing locked.
    (await takeRunLock(environment, { say: assert.fail }))();
  });
}
