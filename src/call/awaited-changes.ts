import { type PollLimit, pollFor } from './poll-for.ts';

/** How the run's waits for lists ended, in order: what a list had to do was seen, or it was not when the time was up. */
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

/** After so many full waits without success, the cause is known, and each scenario would take as long again. */
const MOST_WAITS = 3;

/** The next full wait comes after so many times its length, because a list that was too late may be no more than late by then. */
const REST = 8;

/** Said with what a read found that was not repeated. */
export const READ_ONCE = 'read once, because three full waits for such a change were without success';

interface Look {
  readonly isAwaited: boolean;
  /** The name of the awaited change (`listBlocked shows`), or else of the one that was seen. Waits for what has no name are always full. */
  readonly what: readonly AwaitedChange['what'][];
}

/**
 * Reads until nothing is `awaited`, for as long as a list may lag behind: `limit.ms`. While what is awaited is known not to come, it reads once,
 * and again in full after a change was seen. Without `changes`, each wait is full.
 */
export async function untilSeen<T>(
  changes: AwaitedChanges | undefined,
  limit: PollLimit,
  read: () => Promise<T>,
  lookAt: (seen: T) => Look | Promise<Look>,
): Promise<{ readonly last: T; readonly held: boolean; readonly waitedMs: number; readonly isReadOnce: boolean }> {
  let look: Look | undefined;
  let isReadOnce = false;
  /** The waits without success since the last one that had it. */
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

/** Keeps in memory what counts of the waits in a process that stays. */
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
