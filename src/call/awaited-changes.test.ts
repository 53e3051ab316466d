import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AwaitedChange, recentWaits, untilSeen } from './awaited-changes.ts';

type What = AwaitedChange['what'];

/** A run on a service that catches up with each change after so many more reads: how often each wait reads. The first `past` waits are long over. */
async function readsOf(
  waits: readonly number[],
  past = 0,
  whats: readonly (What | undefined)[] = [],
): Promise<number[]> {
  const changes = recentWaits();
  const all: number[] = [];
  for (const [index, lateBy] of waits.entries()) {
    const at = Date.now() + (index < past ? -3_600_000 : 3_600_000);
    const what = [whats[index] ?? 'listBlocked forgets'] as const;
    let reads = 0;
    const log = { ...changes, add: (entry: AwaitedChange) => changes.add({ ...entry, at }) };
    const read = async () => reads++ < lateBy;
    await untilSeen(log, { ms: 1, leastReads: 3 }, read, (isAwaited) => ({ isAwaited, what }));
    all.push(reads);
  }
  return all;
}

// Each wait in full reads three times here.
const never = 9;
const rows: Readonly<Record<string, readonly [Parameters<typeof readsOf>, reads: number[]]>> = {
  'what never shows is awaited three times, then read once': [[[never, never, never, never, never]], [3, 3, 3, 1, 1]],
  'a list that lags is awaited each time': [[[2, 2, 2, 2, 2]], [3, 3, 3, 3, 3]],
  'a success begins anew': [[[never, never, 1, never, never, never, never]], [3, 3, 2, 3, 3, 3, 1]],
  'what is seen to work again is awaited again': [[[never, never, never, never, 0, never, 2]], [3, 3, 3, 1, 1, 3, 3]],
  'each list has its own, and so has what it forgets': [
    [
      [never, never, never, never, never, never],
      0,
      [undefined, undefined, undefined, 'listBlocked shows', 'readProfile forgets'],
    ],
    [3, 3, 3, 3, 3, 1],
  ],
  'a list that was too late and is no more than late is awaited again, after a while': [
    [[never, never, never, 2, 2], 3],
    [3, 3, 3, 3, 3],
  ],
  'one that still is too late is read once again': [
    [[never, never, never, never, 2], 3],
    [3, 3, 3, 3, 1],
  ],
};

for (const [name, [run, reads]] of Object.entries(rows))
  test(name, async () => assert.deepEqual(await readsOf(...run), reads));
