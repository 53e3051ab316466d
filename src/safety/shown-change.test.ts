import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AwaitedUndos, CallingSession } from '../call/index.ts';
import type { ServiceUnderTest } from '../verdict/index.ts';
import { untilForgotten } from './shown-change.ts';

/** A run on a service whose list shows a change for so many more reads: how often each wait reads it. */
async function readsOf(waits: readonly number[], undos: readonly ('unblock' | 'unlove')[] = []): Promise<number[]> {
  const log: Parameters<AwaitedUndos['add']>[0][] = [];
  const awaitedUndos: AwaitedUndos = { all: () => log, add: (entry) => void log.push(entry) };
  const session = { context: { awaitedUndos } } as unknown as CallingSession;
  const target = { consistencyTimeoutMs: 1 } as ServiceUnderTest;
  const all: number[] = [];
  for (const [index, shownFor] of waits.entries()) {
    let reads = 0;
    const read = async () => ({ list: undefined as never, isShown: reads++ < shownFor });
    await untilForgotten(session, target, undos[index] ?? 'unblock', read);
    all.push(reads);
  }
  return all;
}

// Each wait in full reads three times here.
const never = Number.POSITIVE_INFINITY;
const rows: Readonly<Record<string, readonly [Parameters<typeof readsOf>, reads: number[]]>> = {
  'an undo that never shows is awaited three times, then read once': [
    [[never, never, never, never, never]],
    [3, 3, 3, 1, 1],
  ],
  'a list that lags is awaited each time': [[[2, 2, 2, 2, 2]], [3, 3, 3, 3, 3]],
  'a success begins anew': [[[never, never, 1, never, never, never, never]], [3, 3, 2, 3, 3, 3, 1]],
  'what is seen to work again is awaited again': [[[never, never, never, never, 0, never]], [3, 3, 3, 1, 1, 3]],
  'each undo has its own': [
    [
      [never, never, never, never, never],
      ['unblock', 'unblock', 'unblock', 'unlove', 'unblock'],
    ],
    [3, 3, 3, 3, 1],
  ],
};

for (const [name, [run, reads]] of Object.entries(rows))
  test(name, async () => assert.deepEqual(await readsOf(...run), reads));
