import type { Clock } from './clock.ts';

/** What is to be done again and again, until it is cancelled. */
export class Timers {
  readonly #clock: Clock;
  readonly #cancels: (() => void)[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  every(ms: number, work: () => void): void {
    const index = this.#cancels.length;
    const again = () => {
      this.#cancels[index] = this.#clock.after(ms, () => {
        again();
        work();
      });
    };
    again();
  }

  cancel(): void {
    for (const cancel of this.#cancels) cancel();
  }
}
