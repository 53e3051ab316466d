import type { Clock } from './clock.ts';

/** A longer gap between two checks, or a larger clock change, is a pause: runs in progress prove nothing. */
export const PAUSE_MS = 5_000;

/** Detects a suspended machine, a stopped process, and a changed clock. */
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

  /** Number of pauses so far; compare two readings to find a pause between them. */
  get count(): number {
    return this.#count;
  }

  /**
   * To be called every second.
   * @returns by how many ms wall-clock time ran ahead of monotonic time (which may not count a suspension), or 0.
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
