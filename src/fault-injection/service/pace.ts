import { setTimeout as wait } from 'node:timers/promises';
import type { RateLimits } from '../../client/index.ts';

/** Spaces out the requests to a service. What the drill answers itself isn't counted. */
export class Pace {
  readonly intervalMs: number;
  /** Monotonic, in ms. */
  #next = 0;

  constructor({ maxRequestsPerSecond }: Partial<RateLimits> = {}) {
    this.intervalMs = maxRequestsPerSecond ? 1_000 / maxRequestsPerSecond : 0;
  }

  async turn(): Promise<void> {
    const now = performance.now();
    const turn = Math.max(now, this.#next);
    this.#next = turn + this.intervalMs;
    if (turn > now) await wait(turn - now);
  }

  /** Somebody else sent requests until now. */
  begin(): void {
    this.#next = performance.now() + this.intervalMs;
  }
}
