import { type PollLimit, pollFor } from './poll-for.ts';

/** How earlier waits for lists ended, in order: the list showed the change, or the time was up first. */
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

/**
 * After this many waits for a change that took their full time without success, a list is read only once. Otherwise each further scenario
 * would wait for the full time again.
 */
const MOST_WAITS = 3;

/**
 * How long a list is read only once, as a multiple of the maximum wait. After that time the next wait may take its full time again, because
 * by then the list may show changes in time.
 */
const REST = 8;

/** Appended to the message about a list that was read only once. */
export const READ_ONCE = 'read only once, because three full waits for such a change were without success';

interface Look {
  readonly isAwaited: boolean;
  /**
   * The names of the awaited changes (such as `listBlocked shows`) or, if nothing is awaited, of the changes that the response showed. If
   * several earlier waits for one of the awaited changes were without success, the list is read only once. If the array is empty, each wait
   * may take its full time.
   */
  readonly what: readonly AwaitedChange['what'][];
}

/**
 * Reads until no change is awaited any more, but no longer than a list may lag behind: `limit.ms`. After several waits for a change without
 * success, it reads once and does not wait. Once the change is seen or some time has passed, it waits again. Without `changes`, it always
 * waits.
 */
export async function untilSeen<T>(
  changes: AwaitedChanges | undefined,
  limit: PollLimit,
  read: () => Promise<T>,
  lookAt: (seen: T) => Look | Promise<Look>,
): Promise<{ readonly last: T; readonly held: boolean; readonly waitedMs: number; readonly isReadOnce: boolean }> {
  let look: Look | undefined;
  let isReadOnce = false;
  /** The failed waits for a change since the last successful wait for this change. */
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
