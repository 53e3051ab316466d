import assert from 'node:assert/strict';
import { copyFileSync } from 'node:fs';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import type { ScenarioBody } from '../../../fixtures/index.ts';
import { handle } from '../../../reference-service/faults/kind.ts';
import type { Fault } from '../../../reference-service/index.ts';
import type { Environment } from '../../environment/index.ts';
import { type ReversibleChange, readJournals, sweep, type UsersRun, withUsers } from '../../safety/index.ts';
import { resultText } from '../../testing/play.ts';
import { answers, safetyBench, titled } from '../../testing/safety-bench.ts';
import { callService } from '../../testing/servers/call-service.ts';
import { type Scenario, scenarios } from './collect-scenarios.ts';
import { runScenario } from './run-scenario.ts';

const bench = await safetyBench();
const { allowing, arrivals, leaveBehind, own, pending, provisioned, reversible, run, scenario, service, tell, undo } =
  bench;

const forgets: ScenarioBody = async ({ friends, friend }) => {
  await friends.block({ friendId: friend.id }).succeeds();
};

test('before a change arrives, its undo is on disk, and before the undo, that it was sent; afterwards nothing is', async () => {
  const seen: string[] = [];
  arrivals.onArrival = () => {
    seen.push(
      `${arrivals.all.at(-1)?.path}: ${pending().map((each) => `${each.undo} as ${each.as}${each.isUndoSent ? ', sent' : ''}`)}`,
    );
  };
  const all = await titled(/^(who blocked me|love, then unlove)$/);
  assert.deepEqual(await tell(reversible(), ...all).finally(() => (arrivals.onArrival = () => {})), [
    'passed',
    'passed',
  ]);
  const changes = seen.filter((line) => /\/(block|love):/.test(line));
  assert.equal(changes.length, 4);
  for (const line of changes) assert.match(line, /(unblock|unlove) as (caller|friend)$/);
  assert.match(seen.find((line) => /\/unlove:/.test(line)) ?? '', /unlove as caller, sent$/);
  assert.ok(changes.some((line) => line.includes('as friend')));
  assert.deepEqual(pending(), []);
});

test('a dry run sends nothing, and records no change that a question would make', async () => {
  const { facts: _, ...rest } = reversible();
  const environment: Environment = { ...rest, data: { ...rest.data, otherUserIds: [] } };
  const heard = await arrivals.during(async () => {
    for (const each of await titled(/./))
      await runScenario(each, { environment, seed: 'a dry run', runId: 'a dry run', isDryRun: true });
  });
  assert.deepEqual([heard, pending()], [[], []]);
});

test('a refused change is not kept; what a scenario forgot is undone at its end', async () => {
  let pendingAfterRefusal: number | undefined;
  const isRefusedFirst = scenario(async ({ friends, friend, call }) => {
    await call('block', { friendId: friend.id }).without('authorization').isRefused();
    pendingAfterRefusal = pending().length;
    await friends.block({ friendId: friend.id }).succeeds();
  }, 'reversible');
  const [forgot = ''] = await tell(reversible(), isRefusedFirst);
  assert.match(forgot, /^unknown · .*block changes something, and the scenario declares no clean-up/);
  assert.deepEqual([pendingAfterRefusal, pending()], [0, []]);
});

test('a scenario whose own undo is refused once is not accused of declaring none', async () => {
  let unblocks = 0;
  const answer = handle<'unblock'>((original) => (request) => {
    const reply = original(request);
    return ++unblocks === 1 ? { status: 400, body: { error: { code: 'busy', message: 'busy' } } } : reply;
  });
  service.faults.set({ name: 'unblock-is-refused-once', operation: 'unblock', handle: answer });
  const undoesInBody = scenario(async ({ friends, friend }) => {
    await friends.block({ friendId: friend.id }).succeeds();
    await friends.unblock({ friendId: friend.id }).isDecided();
  }, 'reversible');
  assert.deepEqual(await tell(reversible(), undoesInBody).finally(() => service.faults.set()), ['passed']);
  assert.deepEqual(pending(), []);
});

test('a block of a number that a service keeps as one and shows as text is undone', async () => {
  const blocked = new Set<unknown>();
  const keeps = (operation: 'block' | 'unblock', change: 'add' | 'delete'): Fault => {
    const kept = handle<'block'>(() => ({ args: { friendId } }) => {
      blocked[change](friendId);
      return { status: 200, body: {} };
    });
    return { name: change, operation, validate: () => (_entry, body) => body, handle: kept };
  };
  const lists = () => () => ({ status: 200, body: [...blocked].map((id) => ({ userId: String(id) })) });
  const list: Fault = { name: 'list', operation: 'listBlocked', handle: lists };
  service.faults.set(keeps('block', 'add'), keeps('unblock', 'delete'), list);
  const { facts: _, observed: __, ...lenient } = { ...reversible(), consistencyTimeoutMs: 200 };
  const isPlayed = ({ title }: Scenario) => title === 'block handles a field of the wrong type';
  const played = tell(lenient, ...(await scenarios('robustness')).filter(isPlayed));
  assert.deepEqual(await played.finally(() => service.faults.set()), ['passed']);
  assert.deepEqual([pending(), blocked.has(42)], [[], false]);
});

test('what goes on beside a call that failed ends before the clean-up, which is the last', async () => {
  const held = Promise.withResolvers<undefined>();
  service.faults.set({ name: 'block-is-held', operation: 'block', arrive: () => () => held.promise });
  const twice = scenario(async ({ friends, friend, defer }) => {
    const blocking = async () => {
      await friends.block({ friendId: friend.id }).succeeds();
      defer(() => friends.unblock({ friendId: friend.id }).settles());
      await friends.block({ friendId: friend.id }).settles();
    };
    const failing = async () => {
      while (!arrivals.all.at(-1)?.path.endsWith('/block')) await wait(5);
      // The service responds to the first block only after the scenario has failed.
      await friends
        .listBlocked()
        .isRefused()
        .finally(() => setImmediate(held.resolve, undefined));
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
    for (const said of await tell(reversible(), twice, late)) assert.match(said, /^failed/);
    service.faults.set();
    await wait(200);
  });
  const changes = heard.filter(({ method }) => method !== 'GET').map(({ path }) => path.split('/').at(-1));
  assert.deepEqual([changes, pending()], [['block', 'unblock'], []]);
});

test('a change that no socket carried is in no journal, and needs no undo', async () => {
  const addresses = { ...own.addresses, friends: new URL('http://127.0.0.1:9/') };
  const left: number[] = [];
  const changes = scenario(async ({ friends, friend, defer }) => {
    defer(async () => void left.push(pending().length));
    await friends.block({ friendId: friend.id }).succeeds();
  }, 'reversible');
  const [result] = await run({ ...reversible(), addresses }, changes);
  assert.deepEqual([result?.verdict, left, pending()], ['unreachable', [0], []]);
});

test('what a run could not undo is tried once more at its end, and only what still could not be is reported', async () => {
  const said: string[] = [];
  const say = (text: string) => said.push(text);
  const play = async (users: UsersRun) =>
    (await bench.runAs(users, reversible(), scenario(forgets, 'reversible'))).map(resultText);
  service.faults.set(answers('unblock', 503));
  assert.match(`${await withUsers(reversible(), { say, isReported: true }, play)}`, /^failed · \w+ · unblock/);
  assert.match(said.splice(0).join(), /^local: 1 change could not be undone; .*\n {2}LEFT {4}block /);
  service.faults.set();
  await withUsers(reversible(), { say, isReported: true }, async () => {});
  assert.match(said.join(), /^local: undid 1 change left behind by an earlier run\.\n {2}undone {2}block /);
  assert.deepEqual(pending(), []);
});

test('an undo that had no response is not tried again in a run until its address has responded', async () => {
  const environment = { ...reversible(), requestTimeoutMs: 500 };
  for (const friendId of [own.friend.userId, 'another']) leaveBehind({ args: { friendId } });
  arrivals.all.splice(0);
  const silence = () => () => wait(1_500, undefined, { ref: false }) as Promise<never>;
  service.faults.set(
    ...(['unblock', 'listBlocked'] as const).map((operation) => ({
      name: `${operation} hangs`,
      operation,
      arrive: silence,
    })),
  );
  const nothing = scenario(async () => {}, 'reversible');
  const heals = scenario(async ({ friends }) => {
    service.faults.set();
    await friends.listBlocked().succeeds();
  }, 'reversible');
  const undone = () => arrivals.all.filter(({ path }) => path.endsWith('/unblock')).length;
  assert.deepEqual(await tell(environment, nothing, nothing), ['passed', 'passed']);
  assert.deepEqual([undone(), pending().length], [1, 2]);
  assert.deepEqual(await tell(environment, heals, nothing), ['passed', 'passed']);
  assert.deepEqual([undone(), pending()], [4, []]);
});

test('users that the provisioner made are not in the journal: their tokens may stand in no file', async () => {
  const leaving = scenario(async ({ friends, friend, defer }) => {
    await friends.block({ friendId: friend.id }).succeeds();
    assert.deepEqual(pending(), []);
    defer(() => friends.unblock({ friendId: friend.id }).settles());
  }, 'reversible');
  assert.deepEqual(await tell(provisioned, leaving), ['passed']);
});

test('what runs side by side in one process does not undo what the other has changed, nor what was left in its area', async () => {
  const [arrived, opened] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const loves = scenario(async ({ stories, story, defer }) => {
    await stories.love({ storyId: story.id }).succeeds();
    defer(() => stories.unlove({ storyId: story.id }).settles());
    arrived.resolve();
    await opened.promise;
  }, 'reversible');
  const first = run(reversible(), { ...loves, details: { tag: ['@stories', '@reversible'] } });
  await arrived.promise;
  const updates = scenario(async () => {}, 'reversible');
  const heard = await arrivals.during(async () => {
    await run(reversible(), { ...updates, details: { tag: ['@profile', '@reversible'] } });
    leaveBehind({ change: 'love', undo: 'unlove', args: { storyId: 's' }, base: own.addresses.stories.href });
    await run(reversible(), { ...updates, details: { tag: ['@profile', '@reversible'] } });
  });
  assert.deepEqual(heard, []);
  opened.resolve();
  assert.deepEqual(
    (await first).map(({ verdict }) => verdict),
    ['passed'],
  );
  assert.deepEqual(pending(), [], 'the end of the first has undone both');
});

test('a change that a run was killed while releasing is in two journals, and is undone once', async () => {
  leaveBehind();
  const [path = ''] = readJournals(own).map((file) => file.path);
  copyFileSync(path, path.replace(/\.jsonl$/, '-2.jsonl'));
  const heard = await arrivals.during(async () => assert.equal((await undo(reversible())).length, 1));
  assert.equal(heard.filter(({ path }) => path.endsWith('/unblock')).length, 1);
  assert.deepEqual(pending(), []);
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
    leaveBehind(change);
    service.faults.set(answers(change.undo ?? 'unblock', status));
    const [outcome] = await undo({ ...reversible(), consistencyTimeoutMs: 200 });
    assert.deepEqual([outcome?.done, pending().length], [done, done ? 0 : 1], outcome?.text ?? '');
    service.faults.set();
    await undo(reversible());
  });

const ends: [noted: string[], done: boolean][] = [
  [['accepted'], false],
  [['accepted', 'undoing'], true],
  [['accepted', 'undoing', 'notUndone'], false],
];

for (const [noted, done] of ends)
  test(`a love that was ${noted.join(', then ')}, and whose undo answers 404, ${done ? 'is done with' : 'stays'}`, async () => {
    leaveBehind(loved, ...noted);
    service.faults.set(answers('unlove', 404));
    for (const _round of [1, 2])
      assert.deepEqual([(await undo(reversible()))[0]?.done ?? true, pending().length], [done, done ? 0 : 1]);
  });

test('an undo that had no result is sent once more, and what is then not found was undone', async () => {
  const loves = scenario(async ({ stories, story, defer }) => {
    await stories.love({ storyId: story.id }).succeeds();
    defer(() => stories.unlove({ storyId: story.id }).settles());
    service.faults.set(answers('unlove', 503));
  }, 'reversible');
  assert.match(`${await tell(reversible(), loves)}`, /^failed/);
  assert.deepEqual(
    pending().map(({ isAccepted, isUndoSent }) => [isAccepted, isUndoSent]),
    [[true, true]],
  );
  service.faults.set(answers('unlove', 404));
  await undo(reversible());
  assert.deepEqual(pending(), []);
  service.faults.set();
  await callService(service, 'unlove', { body: { storyId: own.data.storyId } });
});

test('an undo of a change that nobody saw accepted says that it may have taken what a person made', async () => {
  leaveBehind(loved);
  service.faults.set(answers('unlove', 200));
  const [outcome] = await undo(reversible());
  assert.match(
    outcome?.text ?? '',
    /^unlove: 200; if a person had made the same change before the run, that is undone, too \(no list shows it\)$/,
  );
});

test('what a killed run had re-created already is not made once more', async () => {
  const body = { friendId: own.friend.userId };
  await callService(service, 'block', { body });
  leaveBehind({ change: 'unblock', undo: 'block' }, 'accepted', 'undoing');
  const heard = await arrivals.during(async () => {
    const [outcome] = await undo({ ...reversible(), consistencyTimeoutMs: 50 });
    assert.deepEqual([outcome?.done, outcome?.text], [true, 'block: not needed, because listBlocked shows the change']);
  });
  assert.deepEqual([heard.filter(({ method }) => method === 'POST'), pending()], [[], []]);
  await callService(service, 'unblock', { body });
});

test('a change without a response is undone when it can no longer arrive; the end of a run leaves its record', async () => {
  const [environment, said] = [{ ...reversible(), requestTimeoutMs: 1_500 }, [] as string[]];
  const say = (line: string) => void said.push(line);
  const since = Date.now();
  let arrivedAt = 0;
  arrivals.onArrival = () => (arrivedAt ||= Date.now());
  leaveBehind({ at: new Date(since).toISOString() });
  await withUsers(environment, { say, isReported: true }, async () => {}).finally(
    () => (arrivals.onArrival = () => {}),
  );
  assert.ok(arrivedAt - since >= environment.requestTimeoutMs, `${arrivedAt - since}`);
  assert.match(said[0] ?? '', /^local: waiting 2 s, because a change of an earlier run may still be on its way\.$/);
  const late = async () => leaveBehind({ at: new Date().toISOString() });
  const heard = await arrivals.during(() => withUsers({ ...environment, requestTimeoutMs: 600_000 }, { say }, late));
  assert.deepEqual([heard.filter(({ path }) => path.endsWith('/unblock')).length, pending().length], [1, 1]);
});

for (const [status, waits] of [
  [500, false],
  [504, true],
] as const)
  test(`a change that was answered with ${status} ${waits ? 'may' : 'can no longer'} be on its way`, async () => {
    service.faults.set(answers('love', status), answers('unlove', 500));
    const tried = scenario(async ({ stories, story }) => {
      await stories.love({ storyId: story.id }).succeeds();
    }, 'reversible');
    await tell(reversible(), tried);
    const said: string[] = [];
    const patient = { ...reversible(), requestTimeoutMs: 600_000 };
    await sweep(patient, { say: (line) => void said.push(line), signal: AbortSignal.abort() });
    assert.deepEqual([said.length > 0, pending().length], [waits, 1]);
    service.faults.set();
    await undo(reversible(), true);
    assert.deepEqual(pending(), []);
  });

for (const [states, waits] of [
  [['accepted', 'undoing'], true],
  [['accepted', 'undoing', 'undone'], false],
  [['accepted', 'undoing', 'notUndone'], false],
] as const)
  test(`an undo of which ${states.at(-1)} is known ${waits ? 'may' : 'can no longer'} be on its way`, async () => {
    leaveBehind({ at: new Date().toISOString() }, ...states);
    const said: string[] = [];
    const patient = { ...reversible(), requestTimeoutMs: 600_000 };
    await sweep(patient, { say: (line) => void said.push(line), signal: AbortSignal.abort() });
    assert.equal(said.length > 0, waits);
    await undo(reversible(), true);
  });

const obstacles: [name: string, change: Partial<ReversibleChange>, environment: Environment, text: RegExp][] = [
  ['another address', { base: 'http://127.0.0.1:9/' }, reversible(), /no longer an address of local/],
  [
    'another client',
    { clientId: 'client-gone' },
    reversible(),
    /made as client-gone, .*no longer the CLIENT_ID of local/,
  ],
  ['another user', { userId: 'user-gone' }, reversible(), /no longer the caller of local/],
  ['reversible is not allowed', {}, allowing('read'), /ALLOWED_EFFECTS is read/],
];

for (const [name, change, environment, text] of obstacles)
  test(`what can't be undone stays, unsent, with the reason, until it is forgotten: ${name}`, async () => {
    leaveBehind(change);
    const heard = await arrivals.during(async () => {
      for (const round of [1, 2]) {
        const [outcome] = await undo(environment);
        assert.equal(outcome?.done, false, `round ${round}`);
        assert.match(outcome?.text ?? '', text);
      }
      await undo(environment, true);
      assert.deepEqual(await undo(environment), []);
    });
    assert.deepEqual(heard, []);
  });

const sentences: Readonly<Record<string, readonly [status: number, isThere: boolean, says: RegExp]>> = {
  'an undo without effect': [
    200,
    false,
    /^failed · \w+ · listBlocked · in clean-up: listBlocked still shows what unblock undid \("[^"]+", after unblock was accepted\)/,
  ],
  'an undo without effect at the start': [
    200,
    true,
    /^failed · assumed · unblock · unblock answers 200 and undoes nothing \(listBlocked still shows "[^"]+"\)$/,
  ],
  'an undo that fails': [
    500,
    false,
    /^failed · .* clean-up failed: expected anything but a server error \(5xx\), got 500 Internal Server Error, although block \{"friendId":"[^"]+"\} of \S+ was accepted before$/,
  ],
  'an undo that fails at the start': [
    500,
    true,
    /^failed · assumed · unblock · expected anything but a server error \(5xx\), got 500 Internal Server Error, and listBlocked still shows "[^"]+"$/,
  ],
};

for (const [name, [status, isThere, says]] of Object.entries(sentences))
  test(`${name} is told in one sentence that is read once`, async () => {
    const blocks = scenario(async ({ friends, friend, defer }) => {
      defer(async () => void (await friends.unblock({ friendId: friend.id }).settles()));
      await friends.block({ friendId: friend.id }).succeeds();
    }, 'reversible');
    if (isThere) await callService(service, 'block', { body: { friendId: own.friend.userId } });
    service.faults.set(answers('unblock', status));
    const [resultText = ''] = await tell({ ...reversible(), consistencyTimeoutMs: 50 }, blocks);
    service.faults.set();
    await undo(reversible());
    await callService(service, 'unblock', { body: { friendId: own.friend.userId } });
    assert.match(resultText, says);
  });
