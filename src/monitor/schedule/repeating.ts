import type { Clock } from './clock.ts';

/** Repeats work until stopped; each wait begins when the previous one ends. */
export class Repeating {
  readonly #clock: Clock;
  readonly #cancels = new Map<object, () => void>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  every(ms: number, work: () => void): void {
    const key = {};
    const again = () => {
      this.#cancels.set(
        key,
        this.#clock.after(ms, () => {
          again();
          work();
        }),
      );
    };
    again();
  }

  stop(): void {
    for (const cancel of this.#cancels.values()) cancel();
  }
}
