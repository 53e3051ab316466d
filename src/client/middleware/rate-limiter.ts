/** How fast an environment may be called. */
export interface RateLimits {
  readonly maxRequestsPerSecond?: number;
  /** Requests under way at once. */
  readonly maxConcurrency?: number;
  /** The longest Retry-After that is waited for, in ms. */
  readonly retryAfterLimitMs: number;
}

/**
 * Slots at even distances, so that no second ever holds more than its share. The first slot is one distance after
 * `startedAt`: a process that takes over from another doesn't begin with a burst.
 */
export class RateLimiter {
  readonly #intervalMs: number;
  #next: number;

  constructor(maxPerSecond: number, startedAt: number) {
    this.#intervalMs = 1000 / maxPerSecond;
    this.#next = startedAt + this.#intervalMs;
  }

  /** Takes the next free slot; gives the moment it begins. */
  reserve(now: number): number {
    const slot = Math.max(now, this.#next);
    this.#next = slot + this.#intervalMs;
    return slot;
  }
}

/** A number of places; who finds none waits in line. */
export class Semaphore {
  #free: number;
  readonly #line: (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  /** Runs `work` in a place of its own. */
  async within<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((resolve) => this.#line.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.#line.shift();
      if (next) next();
      else this.#free++;
    }
  }
}
