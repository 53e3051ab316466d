import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AwaitedChange, recentWaits, untilSeen } from './awaited-changes.ts';

const whats = { '': 'listBlocked forgets', s: 'listBlocked shows', p: 'readProfile forgets' } as const;

/**
 * Performs the waits in `waits`, and returns how often each of them reads. A digit is the number of reads after which the service shows the
 * awaited change. The letter after a digit names the change if it isn't the usual one, and `-` means a wait that ended long ago.
 */
async function readsOf(waits: string): Promise<string> {
  const changes = recentWaits();
  const all: number[] = [];
  for (const [, lateBy, what, past] of waits.matchAll(/(\d)([sp]?)(-?)/g)) {
    const at = Date.now() + (past ? -3_600_000 : 3_600_000);
    const log = { ...changes, add: (entry: AwaitedChange) => changes.add({ ...entry, at }) };
    let reads = 0;
    const read = async () => reads++ < Number(lateBy);
    const lookAt = (isAwaited: boolean) => ({ isAwaited, what: [whats[what as keyof typeof whats]] });
    await untilSeen(log, { ms: 1, leastReads: 3 }, read, lookAt);
    all.push(reads);
  }
  return all.join(' ');
}

// In these tests, a wait for a change that never shows ends after three reads.
const rows: Readonly<Record<string, readonly [waits: string, reads: string]>> = {
  'what never shows is awaited three times, then read once': ['9 9 9 9 9', '3 3 3 1 1'],
  'a list that lags is awaited each time': ['2 2 2 2 2', '3 3 3 3 3'],
  'a success begins anew': ['9 9 1 9 9 9 9', '3 3 2 3 3 3 1'],
  'what is seen to work again is awaited again': ['9 9 9 9 0 9 2', '3 3 3 1 1 3 3'],
  'each list has its own, and so has what it forgets': ['9 9 9 9s 9p 9', '3 3 3 3 3 1'],
  'a list that was too late and is no more than late is awaited again, after a while': ['9- 9- 9- 2 2', '3 3 3 3 3'],
  'one that still is too late is read once again': ['9- 9- 9- 9 2', '3 3 3 3 1'],
};

for (const [name, [waits, reads]] of Object.entries(rows))
  test(name, async () => assert.equal(await readsOf(waits), reads));
