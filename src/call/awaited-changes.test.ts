import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AwaitedChanges, type Catching, recentWaits, untilSeen } from './awaited-changes.ts';

type Wait = number | readonly [lateBy: number, what: Catching, of: string];

/** A run on a service that catches up with each change after so many more reads: how often each wait reads. The first `past` waits are long over. */
async function readsOf(waits: readonly Wait[], past = 0): Promise<number[]> {
  const changes = recentWaits();
  const all: number[] = [];
  for (const [index, wait] of waits.entries()) {
    const [lateBy, what, of] = typeof wait === 'number' ? ([wait, 'forgets', 'listBlocked'] as const) : wait;
    const at = Date.now() + (index < past ? -3_600_000 : 3_600_000);
    const log: AwaitedChanges = { ...changes, add: (entry) => changes.add({ ...entry, at }) };
    let reads = 0;
    const read = async () => reads++ < lateBy;
    await untilSeen(log, { ms: 1, leastReads: 3 }, read, (isAwaited) => ({ of, isAwaited, what: [what] }));
    all.push(reads);
  }
  return all;
}

// Each wait in full reads three times here.
const never = Number.POSITIVE_INFINITY;
const rows: Readonly<Record<string, readonly [Parameters<typeof readsOf>, reads: number[]]>> = {
  'what never shows is awaited three times, then read once': [[[never, never, never, never, never]], [3, 3, 3, 1, 1]],
  'a list that lags is awaited each time': [[[2, 2, 2, 2, 2]], [3, 3, 3, 3, 3]],
  'a success begins anew': [[[never, never, 1, never, never, never, never]], [3, 3, 2, 3, 3, 3, 1]],
  'what is seen to work again is awaited again': [[[never, never, never, never, 0, never, 2]], [3, 3, 3, 1, 1, 3, 3]],
  'each list has its own, and so has what it forgets': [
    [[never, never, never, [never, 'shows', 'listBlocked'], [never, 'forgets', 'readProfile'], never]],
    [3, 3, 3, 3, 3, 1],
  ],
  'a list that is no more than late after having been too late is awaited again, after a while': [
    [[never, never, never, 2, 2], 3],
    [3, 3, 3, 3, 3],
  ],
  'one that is too late still is read once again': [
    [[never, never, never, never, 2], 3],
    [3, 3, 3, 3, 1],
  ],
};

for (const [name, [run, reads]] of Object.entries(rows))
  test(name, async () => assert.deepEqual(await readsOf(...run), reads));
