import { setTimeout as wait } from 'node:timers/promises';

/** Pauses between two reads, in ms; the last value repeats. */
const PAUSES_MS = [50, 100, 250, 500, 1_000] as const;

export interface PollLimit {
  /** How long a read may lag behind the state of the service, in ms. */
  readonly ms: number;
  /** Minimum number of reads, however slow this machine is. */
  readonly leastReads?: number;
  readonly signal?: AbortSignal | undefined;
  readonly pause?: (ms: number) => Promise<unknown>;
}

/** Reads until `holds` is true for the result, or until the limit. */
export async function pollFor<T>(
  { ms, leastReads = 1, signal, pause = (time) => wait(time, undefined, signal ? { signal } : {}) }: PollLimit,
  read: () => Promise<T>,
  holds: (seen: T) => boolean | Promise<boolean>,
): Promise<{ readonly last: T; readonly held: boolean; readonly waitedMs: number }> {
  const start = performance.now();
  for (let reads = 1; ; reads++) {
    // Measured before the read, because a slow response may show the state at the time when the read began.
    const waitedMs = performance.now() - start;
    const last = await read();
    const held = await holds(last);
    const pauseMs = PAUSES_MS[Math.min(reads, PAUSES_MS.length) - 1] as number;
    if (held || (reads >= leastReads && waitedMs + pauseMs > ms)) return { last, held, waitedMs };
    await pause(pauseMs);
  }
}
