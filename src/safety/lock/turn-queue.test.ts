import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as immediate } from 'node:timers/promises';
import { TurnQueue } from './turn-queue.ts';

/** In `asking`, each turn is `name keys since`, where `-` means no keys. `begun` is the order in which the turns must begin. */
const rows: [what: string, asking: string, begun: string][] = [
  ['the earliest first', 'a x 1, b x 3, c x 2', 'a c b'],
  ['of equals, whoever came first', 'a x 1, b x Infinity, c x Infinity', 'a b c'],
  ['others at once', 'a x 1, b y 2', 'a b'],
  ['nobody overtakes who waits for one of several', 'a x 1, b x+y 2, c y 3', 'a b c'],
  ['who needs nothing waits for nobody', 'a x 1, b x 2, c - 3', 'a c b'],
];
for (const [what, asking, expected] of rows)
  test(`turns: ${what}`, async () => {
    const queue = new TurnQueue();
    const begun: string[] = [];
    const asked = asking.split(', ').map(async (one) => {
      const [name = '', keys = '', since] = one.split(' ');
      const leave = await queue.enter({
        keys: () => (keys === '-' ? [] : keys.split('+')),
        since: () => Number(since),
      });
      begun.push(name);
      await immediate();
      await immediate();
      leave();
    });
    await Promise.all(asked);
    assert.equal(begun.join(' '), expected);
  });

test('what somebody needs, and their place, may change while they wait', async () => {
  const queue = new TurnQueue();
  const begun: string[] = [];
  let [since, keys] = [1, ['x']];
  const enter = async (name: string, turn: Parameters<TurnQueue['enter']>[0]) => {
    const leave = await queue.enter(turn);
    begun.push(name);
    return leave;
  };
  const first = await enter('first', { keys: () => ['x'], since: () => 0 });
  const changing = enter('changing', { keys: () => keys, since: () => since });
  const other = enter('other', { keys: () => ['x'], since: () => 2 });
  since = Number.POSITIVE_INFINITY;
  first();
  const leaveOther = await other;
  keys = [];
  // The queue calls `keys` again only when a turn is added or ends.
  (await enter('free', { keys: () => ['y'], since: () => 3 }))();
  (await changing)();
  leaveOther();
  assert.deepEqual(begun, ['first', 'other', 'free', 'changing']);
});

test('of equals, whoever came first, also if they were in another order before', async () => {
  const queue = new TurnQueue();
  const begun: string[] = [];
  const since = new Map([1, 2, 3].map((index) => [index, 10 - index]));
  const leave = await queue.enter({ keys: () => ['x'], since: () => 0 });
  const waiting = [1, 2, 3].map(async (index) => {
    const end = await queue.enter({ keys: () => ['x'], since: () => since.get(index) ?? Number.POSITIVE_INFINITY });
    begun.push(String(index));
    end();
  });
  // The last is the first in line, until all have equal times.
  await immediate();
  since.clear();
  leave();
  await Promise.all(waiting);
  assert.deepEqual(begun, ['1', '2', '3']);
});

test('turns that end at once ask whoever waits only once', async () => {
  const queue = new TurnQueue();
  const busy = ['x', 'y', 'z'].map((key) => queue.enter({ keys: () => [key], since: () => 0 }));
  const ends = await Promise.all(busy);
  let asked = 0;
  const last = queue.enter({ keys: () => ['x'], since: () => ++asked });
  await immediate();
  assert.equal(asked, 1);
  for (const end of ends) end();
  (await last)();
  assert.equal(asked, 2);
});

test('whoever gives up leaves nothing taken', async () => {
  const queue = new TurnQueue();
  const turn = { keys: () => ['x'], since: () => 0 };
  const leave = await queue.enter(turn);
  const stop = new AbortController();
  const waiting = queue.enter(turn, stop.signal);
  const next = queue.enter(turn);
  stop.abort();
  await assert.rejects(waiting, { name: 'AbortError' });
  leave();
  const leaveNext = await next;
  // Aborts at the moment when the turn begins.
  const late = new AbortController();
  const lost = queue.enter(turn, late.signal);
  leaveNext();
  setImmediate(() => late.abort());
  await lost.then(
    (end) => end(),
    (error: Error) => assert.equal(error.name, 'AbortError'),
  );
  (await queue.enter(turn))();
});
