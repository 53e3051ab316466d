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

/** Lets a limited number of runs in, in the order of their arrival; of those with the same key, one at a time. */
export class ProbeQueue {
  readonly #limits: QueueLimits;
  readonly #taken = new Set<Place>();
  readonly #waiting = new Map<Place, PromiseWithResolvers<void>>();
  #isClosed = false;

  constructor(limits: QueueLimits) {
    this.#limits = limits;
  }

  get running(): number {
    return this.#taken.size;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  /**
   * Waits for a place; resolves with what frees it, to be called once. Runs without a key wait for a place alone.
   * @throws NoPlace; or the reason of `signal`, when that is aborted first
   */
  async enter(key: string | undefined, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (this.#isClosed) throw new NoPlace('the prober is stopping');
    const place: Place = { key };
    if (this.#isFree(place)) this.#taken.add(place);
    else if (this.waiting < this.#limits.waiting) await this.#wait(place, signal);
    else throw new NoPlace(`${counted(this.running, 'run')} under way, ${this.waiting} waiting`);
    return () => {
      this.#taken.delete(place);
      for (const [next, { resolve: enter }] of this.#waiting)
        if (this.#isFree(next)) {
          this.#waiting.delete(next);
          this.#taken.add(next);
          enter();
        }
    };
  }

  /** Refuses everything that waits, and what comes later. */
  close(): void {
    this.#isClosed = true;
    for (const { reject } of this.#waiting.values()) reject(new NoPlace('the prober is stopping'));
    this.#waiting.clear();
  }

  #isFree({ key }: Place): boolean {
    const isBusy = key !== undefined && this.#taken.values().some((other) => other.key === key);
    return this.running < this.#limits.concurrency && !isBusy;
  }

  async #wait(place: Place, signal: AbortSignal): Promise<void> {
    const turn = Promise.withResolvers<void>();
    const giveUp = () => {
      this.#waiting.delete(place);
      turn.reject(signal.reason);
    };
    this.#waiting.set(place, turn);
    signal.addEventListener('abort', giveUp, { once: true });
    await turn.promise.finally(() => signal.removeEventListener('abort', giveUp));
  }
}
