import { counted } from '../config/index.ts';

export class NoPlace extends Error {
  override readonly name = 'NoPlace';
}

export interface QueueLimits {
  readonly concurrency: number;
  readonly waiting: number;
}

interface Place {
  readonly key: string | undefined;
}

export type ProbeQueue = ReturnType<typeof probeQueue>;

/** Lets a limited number of runs in, in the order of their arrival; of those with the same key, one at a time. */
export function probeQueue(limits: QueueLimits) {
  const taken = new Set<Place>();
  const waiting = new Map<Place, PromiseWithResolvers<void>>();
  let isClosed = false;
  const isFree = ({ key }: Place) => {
    const isBusy = key !== undefined && taken.values().some((other) => other.key === key);
    return taken.size < limits.concurrency && !isBusy;
  };
  const turnOf = async (place: Place, signal: AbortSignal) => {
    const turn = Promise.withResolvers<void>();
    const giveUp = () => {
      waiting.delete(place);
      turn.reject(signal.reason);
    };
    waiting.set(place, turn);
    signal.addEventListener('abort', giveUp, { once: true });
    await turn.promise.finally(() => signal.removeEventListener('abort', giveUp));
  };
  return {
    get running() {
      return taken.size;
    },
    get waiting() {
      return waiting.size;
    },
    /**
     * Waits for a place; resolves with what frees it, to be called once. Runs without a key wait for a place alone.
     * @throws NoPlace; or the reason of `signal`, when that is aborted first
     */
    async enter(key: string | undefined, signal: AbortSignal): Promise<() => void> {
      signal.throwIfAborted();
      if (isClosed) throw new NoPlace('the prober is stopping');
      const place: Place = { key };
      if (isFree(place)) taken.add(place);
      else if (waiting.size < limits.waiting) await turnOf(place, signal);
      else throw new NoPlace(`${counted(taken.size, 'run')} under way, ${waiting.size} waiting`);
      return () => {
        taken.delete(place);
        for (const [next, { resolve: enter }] of waiting)
          if (isFree(next)) {
            waiting.delete(next);
            taken.add(next);
            enter();
          }
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
