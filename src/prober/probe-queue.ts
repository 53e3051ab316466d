import { counted } from '../config/index.ts';

export class NoPlace extends Error {
  override readonly name = 'NoPlace';
}

export interface QueueLimits {
  readonly concurrency: number;
  readonly waiting: number;
}

/** What a run needs for itself. */
type Place = ReadonlySet<string>;

export type ProbeQueue = ReturnType<typeof probeQueue>;

/** Lets a limited number of runs in, in the order of their arrival; of those that have a key in common, one at a time. */
export function probeQueue(limits: QueueLimits) {
  const taken = new Set<Place>();
  const waiting = new Map<Place, PromiseWithResolvers<void>>();
  let isClosed = false;
  const admit = () => {
    const held = new Set([...taken].flatMap((keys) => [...keys]));
    for (const [keys, { resolve: enter }] of waiting) {
      if (taken.size < limits.concurrency && keys.isDisjointFrom(held)) {
        waiting.delete(keys);
        taken.add(keys);
        enter();
      }
      // Also of those that wait: who needs several would otherwise never find all of them free.
      for (const key of keys) held.add(key);
    }
  };
  return {
    get running() {
      return taken.size;
    },
    get waiting() {
      return waiting.size;
    },
    /**
     * Waits for a place; resolves with what frees it, to be called once. Runs without keys wait for a place alone.
     * @throws NoPlace; or the reason of `signal`, when that is aborted first
     */
    async enter(keys: Iterable<string>, signal: AbortSignal): Promise<() => void> {
      signal.throwIfAborted();
      if (isClosed) throw new NoPlace('the prober is stopping');
      const place = new Set(keys);
      const turn = Promise.withResolvers<void>();
      waiting.set(place, turn);
      admit();
      const giveUp = (reason: Error) => {
        if (!waiting.delete(place)) return;
        turn.reject(reason);
        admit();
      };
      if (waiting.size > limits.waiting)
        giveUp(new NoPlace(`${counted(taken.size, 'run')} under way, ${limits.waiting} waiting`));
      const onAbort = () => giveUp(signal.reason);
      signal.addEventListener('abort', onAbort, { once: true });
      await turn.promise.finally(() => signal.removeEventListener('abort', onAbort));
      return () => {
        taken.delete(place);
        admit();
      };
    },
    /** Refuses everything that waits, and what comes later. */
    close(): void {
      isClosed = true;
      for (const { reject } of waiting.values()) reject(new NoPlace('the prober is stopping'));
      waiting.clear();
    },
  };
}
