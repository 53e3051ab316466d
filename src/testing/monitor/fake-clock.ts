import type { Clock } from '../../monitor/schedule/clock.ts';

/** A clock that moves only if the test says so; for tests and benchmarks. */
export class FakeClock implements Clock {
  #mono = 0;
  #wall: number;
  #timers: { at: number; work: () => void }[] = [];

  constructor(wall = 0) {
    this.#wall = wall;
  }

  wall(): number {
    return this.#wall;
  }

  steady(): number {
    return this.#mono;
  }

  after(ms: number, work: () => void): () => void {
    const timer = { at: this.#mono + ms, work };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  /** Advances time from one timer to the next, and lets promises settle after each. */
  async pass(ms: number): Promise<void> {
    const end = this.#mono + ms;
    for (;;) {
      // One turn of the event loop settles all promises. To await each promise would take seconds, because the test runner tracks all of
      // them.
      await new Promise(setImmediate);
      const [next] = this.#timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
      if (!next) break;
      this.#timers = this.#timers.filter((other) => other !== next);
      this.#move(Math.max(0, next.at - this.#mono));
      next.work();
    }
    this.#move(end - this.#mono);
  }

  /**
   * Simulates a suspended machine: no timer runs. Whether the monotonic clock counts the time of the suspension depends on the operating
   * system.
   */
  sleep(ms: number, { countedByMono }: { readonly countedByMono: boolean }): void {
    this.#wall += ms;
    if (countedByMono) this.#mono += ms;
  }

  jump(ms: number): void {
    this.#wall += ms;
  }

  #move(ms: number): void {
    this.#mono += ms;
    this.#wall += ms;
  }
}
