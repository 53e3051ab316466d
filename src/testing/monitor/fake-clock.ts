import type { Clock } from '../../monitor/schedule/clock.ts';

/** A clock that moves only on request; for tests and the bench. */
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

  /** Advances time, timer by timer; promises settle after each. */
  async pass(ms: number): Promise<void> {
    const end = this.#mono + ms;
    for (;;) {
      // One turn settles every promise; each that is awaited here instead would be tracked by the test runner.
      await new Promise(setImmediate);
      const [next] = this.#timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
      if (!next) break;
      this.#timers = this.#timers.filter((other) => other !== next);
      this.#move(Math.max(0, next.at - this.#mono));
      next.work();
    }
    this.#move(end - this.#mono);
  }

  /** Suspends the machine: no timer runs; whether the monotonic clock counts it differs by system. */
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
