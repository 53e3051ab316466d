import { type PollLimit, pollFor } from './poll-for.ts';

/** How the waits for lists in the run ended, in order: the list showed the change, or the time was up first. */
export interface AwaitedChanges {
  all(): readonly AwaitedChange[];
  add(entry: AwaitedChange): void;
}

export interface AwaitedChange {
  readonly what: `${string} ${Catching}`;
  readonly isSeen: boolean;
  /** When the wait ended, in ms since 1970. */
  readonly at: number;
}

/** A change, or its undo, that a response may not show yet. */
export type Catching = 'shows' | 'forgets';

/** After this many full waits without success, reads no longer wait: the cause is known, and each scenario would take the full time again. */
const MOST_WAITS = 3;

/** After this many times the length of a wait, the next wait is full again, because the list may only be slow by then. */
const REST = 8;

/** Appended to the finding of a read that was not repeated. */
export const READ_ONCE = 'read only once, because three full waits for such a change were without success';

interface Look {
  readonly isAwaited: boolean;
  /**
   * The names of the awaited changes (`listBlocked shows`) or, if nothing is awaited, of the changes that were seen. A wait for a change without a
   * name is always full.
   */
  readonly what: readonly AwaitedChange['what'][];
}

/**
 * Reads until no change is awaited any more, but no longer than a list may lag: `limit.ms`. After several waits for a change without success, it
 * reads once and does not wait, until the change is seen or some time has passed. Without `changes`, each wait is full.
 */
export async function untilSeen<T>(
  changes: AwaitedChanges | undefined,
  limit: PollLimit,
  read: () => Promise<T>,
  lookAt: (seen: T) => Look | Promise<Look>,
): Promise<{ readonly last: T; readonly held: boolean; readonly waitedMs: number; readonly isReadOnce: boolean }> {
  let look: Look | undefined;
  let isReadOnce = false;
  /** The waits for a change without success since its last success. */
  const unseen = (what: string) => {
    const all = changes?.all().filter((each) => each.what === what) ?? [];
    return all.slice(all.findLastIndex(({ isSeen }) => isSeen) + 1);
  };
  const isHopeless = (what: string) => {
    const before = unseen(what);
    return before.length >= MOST_WAITS && Date.now() < (before.at(-1)?.at ?? 0) + REST * limit.ms;
  };
  const { last, waitedMs } = await pollFor(limit, read, async (seen) => {
    const isFirst = !look;
    look = await lookAt(seen);
    isReadOnce = isFirst && look.isAwaited && look.what.some(isHopeless);
    return !look.isAwaited || isReadOnce;
  });
  const held = look?.isAwaited === false;
  if (held || (limit.ms > 0 && !isReadOnce))
    for (const what of look?.what ?? [])
      if (!held || unseen(what).length > 0) changes?.add({ what, isSeen: held, at: Date.now() });
  return { last, held, waitedMs, isReadOnce };
}

/** Keeps in memory the latest waits without success, for a process that runs indefinitely. */
export function recentWaits(): AwaitedChanges {
  const unseen = new Map<string, readonly AwaitedChange[]>();
  return {
    all: () => [...unseen.values()].flat(),
    add: (entry) => {
      const before = entry.isSeen ? [] : [...(unseen.get(entry.what) ?? []), entry];
      unseen.set(entry.what, before.slice(-MOST_WAITS));
    },
  };
}
