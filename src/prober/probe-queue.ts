import { counted } from '../config/index.ts';

export class NoPlace extends Error {
  override readonly name = 'NoPlace';
}

export interface QueueLimits {
  readonly concurrency: number;
  readonly waiting: number;
}

interface Waiting {
  readonly key: string | undefined;
  readonly enter: () => void;
  readonly refuse: (error: Error) => void;
}

/** Lets a limited number of runs in, in the order of their arrival; of those with the same key, one at a time. */
export class ProbeQueue {
  readonly #limits: QueueLimits;
  readonly #busy = new Set<string>();
  readonly #waiting = new Set<Waiting>();
  #running = 0;
  #isClosed = false;

  constructor(limits: QueueLimits) {
    this.#limits = limits;
  }

  get running(): number {
    return this.#running;
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
    if (this.#isFree(key)) this.#take(key);
    else if (this.waiting < this.#limits.waiting) await this.#wait(key, signal);
    else throw new NoPlace(`${counted(this.#running, 'run')} under way, ${this.waiting} waiting`);
    return () => {
      this.#running--;
      if (key !== undefined) this.#busy.delete(key);
      for (const one of this.#waiting)
        if (this.#isFree(one.key)) {
          this.#waiting.delete(one);
          this.#take(one.key);
          one.enter();
        }
    };
  }

  /** Refuses everything that waits, and what comes later. */
  close(): void {
    this.#isClosed = true;
    for (const { refuse } of this.#waiting) refuse(new NoPlace('the prober is stopping'));
    this.#waiting.clear();
  }

  #isFree(key: string | undefined): boolean {
    return this.#running < this.#limits.concurrency && !(key !== undefined && this.#busy.has(key));
  }

  #take(key: string | undefined): void {
    this.#running++;
    if (key !== undefined) this.#busy.add(key);
  }

  async #wait(key: string | undefined, signal: AbortSignal): Promise<void> {
    const { promise, resolve: enter, reject: refuse } = Promise.withResolvers<void>();
    const one: Waiting = { key, enter, refuse };
    const giveUp = () => {
      this.#waiting.delete(one);
      refuse(signal.reason);
    };
    this.#waiting.add(one);
    signal.addEventListener('abort', giveUp, { once: true });
    await promise.finally(() => signal.removeEventListener('abort', giveUp));
  }
}
