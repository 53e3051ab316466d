import { counted } from '../config/index.ts';
/** The queue is full, or closed. */
export class NoPlace extends Error {
  override readonly name = 'NoPlace';
}

export interface QueueLimits {
  /** Runs at once. */
  readonly concurrency: number;
  /** Runs that may wait. */
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
  #waiting: Waiting[] = [];
  #running = 0;
  #isClosed = false;

  constructor(limits: QueueLimits) {
    this.#limits = limits;
  }

  get running(): number {
    return this.#running;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /**
   * Waits for a place; resolves with what frees it. Runs without a key wait for a place alone.
   * @throws NoPlace; or the reason of `signal`, when that is aborted first
   */
  async enter(key: string | undefined, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (this.#isClosed) throw new NoPlace('the prober is stopping');
    const isFree = this.#isFree(key);
    if (!isFree && this.#waiting.length >= this.#limits.waiting)
      throw new NoPlace(`${counted(this.#running, 'run')} under way, ${this.#waiting.length} waiting`);
    if (!isFree) await this.#wait(key, signal);
    else this.#take(key);
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      this.#running--;
      if (key !== undefined) this.#busy.delete(key);
      this.#admit();
    };
  }

  /** Refuses everything that waits, and what comes later. */
  close(): void {
    this.#isClosed = true;
    for (const { refuse } of this.#waiting.splice(0)) refuse(new NoPlace('the prober is stopping'));
  }

  #isFree(key: string | undefined): boolean {
    return this.#running < this.#limits.concurrency && !(key !== undefined && this.#busy.has(key));
  }

  #take(key: string | undefined): void {
    this.#running++;
    if (key !== undefined) this.#busy.add(key);
  }

  #wait(key: string | undefined, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#waiting = this.#waiting.filter((each) => each !== one);
        reject(signal.reason);
      };
      const done = () => signal.removeEventListener('abort', leave);
      const one: Waiting = {
        key,
        enter: () => {
          done();
          resolve();
        },
        refuse: (error) => {
          done();
          reject(error);
        },
      };
      this.#waiting.push(one);
      signal.addEventListener('abort', leave, { once: true });
    });
  }

  #admit(): void {
    for (const one of [...this.#waiting]) {
      if (this.#running >= this.#limits.concurrency) return;
      if (!this.#isFree(one.key)) continue;
      this.#waiting = this.#waiting.filter((each) => each !== one);
      this.#take(one.key);
      one.enter();
    }
  }
}
