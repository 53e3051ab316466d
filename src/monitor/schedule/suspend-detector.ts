import type { Clock } from './clock.ts';

/** Longer than this without a look, or a jump of the calendar by more, is a pause: what was under way proves nothing. */
export const PAUSE_MS = 5_000;

/** Notices that the machine slept, that the process was stopped, or that the calendar jumped. */
export class SuspendDetector {
  readonly #clock: Clock;
  #wall: number;
  #mono: number;
  #count = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#wall = clock.wall();
    this.#mono = clock.mono();
  }

  /** Pauses so far; one that differs from an earlier one says that there was a pause in between. */
  get count(): number {
    return this.#count;
  }

  /**
   * To be called every second.
   * @returns by how many ms the calendar ran ahead of the monotonic clock (a sleep that the latter didn't count), or 0.
   */
  look(): number {
    const wall = this.#clock.wall();
    const mono = this.#clock.mono();
    const ran = mono - this.#mono;
    const jump = wall - this.#wall - ran;
    this.#wall = wall;
    this.#mono = mono;
    if (ran > PAUSE_MS || Math.abs(jump) > PAUSE_MS) this.#count++;
    return jump > PAUSE_MS ? jump : 0;
  }
}
