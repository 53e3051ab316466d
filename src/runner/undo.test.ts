import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { type Fault, startService } from '../../reference-service/index.ts';
import type { ReversibleChange } from '../client/index.ts';
import { atService, type Environment } from '../config/index.ts';
import { undoQuietly } from '../scenario/index.ts';
import { Journal } from '../scenario/journal/journal.ts';
import { safetyBench } from '../testing/safety-bench.ts';
import { callService } from '../testing/servers/call-service.ts';
import { scenarios } from './index.ts';

const { allowing, arrivals, leaveBehind, own, pending, provisioned, reversible, run, scenario, service, undo } =
  await safetyBench();

const noUnblock: Fault = {
  name: 'unblock-is-down',
  operation: 'unblock',
  arrive: () => () => ({ status: 503 }),
};

test('before a change arrives, its undo is on disk; afterwards nothing is', async () => {
  const seen: string[] = [];
  const look = () => {
    seen.push(
      `${arrivals.all.at(-1)?.path}: ${pending()
        .map(({ undo, as }) => `${undo} as ${as}`)
        .join(', ')}`,
    );
  };
  const all = (await scenarios()).filter(({ title }) => title === 'who blocked me' || title === 'love, then unlove');
  arrivals.onArrival = look;
  const results = await run(reversible(), ...all).finally(() => (arrivals.onArrival = () => {}));
  assert.deepEqual(
    results.map(({ verdict }) => verdict),
    ['passed', 'passed'],
  );
  const changes = seen.filter((line) => /block:|love:/.test(line) && !/unblock:|unlove:/.test(line));
  assert.equal(changes.length, 4);
  assert.ok(
    changes.every((line) => /(unblock|unlove) as (caller|friend)/.test(line)),
    seen.join('\n'),
  );
  assert.ok(changes.some((line) => line.includes('as friend')));
  assert.deepEqual(pending(), []);
});

test('a refused change is not kept; what a scenario forgot is undone at its end, and what it could not undo by the next run', async () => {
  let pendingAfterRefusal: number | undefined;
  const forgets = scenario(async ({ friends, friend, call }) => {
    await call('block', { friendId: friend.id }).without('authorization').isRefused();
    pendingAfterRefusal = pending().length;
    await friends.block({ friendId: friend.id }).succeeds();
  }, 'reversible');
  const [forgot] = await run(reversible(), forgets);
  assert.deepEqual([forgot?.verdict, pendingAfterRefusal, pending()], ['unknown', 0, []]);
  assert.match(forgot?.reason ?? '', /block changes something, and the scenario declares no clean-up/);
  service.faults.set(noUnblock);
  const [broken] = await run(reversible(), forgets);
  assert.deepEqual([broken?.verdict, broken?.failing?.operation], ['failed', 'unblock']);
  service.faults.set();
  const undone = await undo(reversible());
  assert.deepEqual(
    undone.map(({ entry, done }) => [entry.undo, entry.args, done]),
    [['unblock', { friendId: own.friend.userId }, true]],
  );
  assert.deepEqual(await undo(reversible()), []);
});

test('what goes on beside a call that failed ends before the clean-up, which is the last', async () => {
  const isSlow: Fault = { name: 'block-is-slow', operation: 'block', arrive: () => () => wait(100, undefined) };
  service.faults.set(isSlow);
  const twice = scenario(async ({ friends, friend, defer }) => {
    const blocking = async () => {
      await friends.block({ friendId: friend.id }).succeeds();
      defer(() => friends.unblock({ friendId: friend.id }).settles());
      await friends.block({ friendId: friend.id }).settles();
    };
    const failing = async () => {
      while (!arrivals.all.at(-1)?.path.endsWith('/block')) await wait(5);
      await friends.listBlocked().isRefused();
    };
    await Promise.all([failing(), blocking()]);
  }, 'reversible');
  const late = scenario(async ({ friends, friend, defer }) => {
    const { promise: isOver, resolve } = Promise.withResolvers<void>();
    defer(resolve);
    const blocking = isOver.then(() => friends.block({ friendId: friend.id }).settles());
    await Promise.all([friends.listBlocked().isRefused(), blocking]);
  }, 'reversible');
  const heard = await arrivals.during(async () => {
    const results = await run(reversible(), twice, late).finally(() => service.faults.set());
    assert.deepEqual(
      results.map(({ verdict }) => verdict),
      ['failed', 'failed'],
    );
    await wait(200);
  });
  const changes = heard.filter(({ method }) => method !== 'GET').map(({ path }) => path.split('/').at(-1));
  assert.deepEqual([changes, pending()], [['block', 'unblock'], []]);
});

test('a change that no socket carried is in no journal, and needs no undo', async () => {
  const gone = await startService({ port: 0, quiet: true });
  await gone.stop();
  const unreachable = { ...reversible(), addresses: atService(own, gone).addresses };
  const left: number[] = [];
  const changes = scenario(async ({ friends, friend, defer }) => {
    defer(async () => void left.push(pending().length));
    await friends.block({ friendId: friend.id }).succeeds();
  }, 'reversible');
  const [result] = await run(unreachable, changes);
  assert.deepEqual([result?.verdict, left], ['unreachable', [0]]);
  assert.deepEqual(pending(), []);
});

test('what a run could not undo is undone later without a word; only what still could not be is reported', async (t) => {
  const forgets = scenario(async ({ friends, friend }) => {
    await friends.block({ friendId: friend.id }).succeeds();
  }, 'reversible');
  const said: string[] = [];
  t.mock.method(process.stderr, 'write', (text: string) => said.push(text));
  service.faults.set(noUnblock);
  await run(reversible(), forgets);
  await undoQuietly(reversible());
  service.faults.set();
  assert.match(said.splice(0).join(''), /^local: 1 change could not be undone; .*\n {2}LEFT {4}block /);
  await undoQuietly(reversible());
  assert.deepEqual([said, pending()], [[], []]);
});

test('users that the provisioner made are not in the journal: their tokens may stand in no file', async () => {
  const leaving = scenario(async ({ friends, friend, defer }) => {
    await friends.block({ friendId: friend.id }).succeeds();
    assert.deepEqual(pending(), []);
    defer(() => friends.unblock({ friendId: friend.id }).settles());
  }, 'reversible');
  const [result] = await run(provisioned, leaving);
  assert.equal(result?.verdict, 'passed', String(result?.reason));
});

const entry = {
  change: 'block',
  undo: 'unblock',
  args: { friendId: 'someone' },
  as: 'caller',
  userId: own.caller.userId,
  base: own.addresses.friends.href,
} as const;

test('changes of a run that is still alive are left alone, and so is what it has changed as well', async () => {
  const live = new Journal(own.name, 'live');
  const { id } = await live.add({}, entry);
  const heard = await arrivals.during(async () => {
    assert.deepEqual(await undo(reversible()), []);
    await leaveBehind(entry);
    const [outcome] = await undo(reversible());
    assert.equal(outcome?.done, false);
    assert.match(outcome?.text ?? '', /another run is changing the same data/);
  });
  assert.deepEqual(heard, []);
  live.strike(id, 'undone');
  assert.deepEqual(
    (await undo(reversible())).map(({ done }) => done),
    [true],
  );
});

test('two that undo at once send each undo once', async () => {
  for (const friendId of ['a', 'b', 'c']) await leaveBehind({ args: { friendId } });
  const heard = await arrivals.during(() => Promise.all([undo(reversible()), undo(reversible())]));
  assert.equal(heard.filter(({ path }) => path.endsWith('/unblock')).length, 3);
});

const loved = { change: 'love', undo: 'unlove', args: { storyId: 's' }, base: own.addresses.stories.href } as const;
const refusals: [status: number, change: Partial<ReversibleChange>, isMade: boolean, done: boolean, why: string][] = [
  [422, {}, false, true, 'the list shows nothing'],
  [422, {}, true, false, 'the list shows it'],
  [422, loved, false, false, 'nothing shows whether it was made'],
  [503, {}, false, false, 'the service is down'],
];

for (const [status, change, isMade, done, why] of refusals)
  test(`a change that nobody saw accepted, and whose undo answers ${status}, ${done ? 'is done with' : 'stays'}: ${why}`, async () => {
    if (isMade) await callService(service, 'block', { body: { friendId: own.friend.userId } });
    await leaveBehind(change);
    const operation = change.undo ?? 'unblock';
    service.faults.set({ name: `${operation}-answers-${status}`, operation, arrive: () => () => ({ status }) });
    const [outcome] = await undo({ ...reversible(), consistencyTimeoutMs: 200 });
    assert.deepEqual([outcome?.done, pending().length], [done, done ? 0 : 1], outcome?.text ?? '');
    service.faults.set();
    await undo(reversible());
  });

const obstacles: [name: string, change: Partial<typeof entry>, environment: () => Environment, text: RegExp][] = [
  ['another address', { base: 'http://127.0.0.1:9/' as never }, reversible, /no longer an address of local/],
  ['another user', { userId: 'user-gone' as never }, reversible, /no longer the caller of local/],
  ['reversible is not allowed', {}, () => allowing('read'), /ALLOWED_EFFECTS is read/],
];

for (const [name, change, environment, text] of obstacles) {
  test(`what can't be undone stays, unsent, with the reason, until it is forgotten: ${name}`, async () => {
    await leaveBehind(change);
    const heard = await arrivals.during(async () => {
      for (const round of [1, 2]) {
        const [outcome] = await undo(environment());
        assert.equal(outcome?.done, false, `round ${round}`);
        assert.match(outcome?.text ?? '', text);
      }
      await undo(environment(), true);
      assert.deepEqual(await undo(environment()), []);
    });
    assert.deepEqual(heard, []);
  });
}
