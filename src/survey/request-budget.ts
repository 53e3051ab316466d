import { setTimeout as wait } from 'node:timers/promises';
import { budgetSpent, interrupted } from './ended.ts';

export interface BudgetOptions {
  /** Requests per second; absent: as fast as they are answered. */
  readonly rate?: number;
  readonly maxRequests: number;
  readonly signal?: AbortSignal;
}

/** What a survey may spend: how many requests, how fast, and until somebody stops it. */
export class RequestBudget {
  readonly #options: BudgetOptions;
  #spent: number;
  #nextAt = 0;

  constructor(options: BudgetOptions, spent = 0) {
    this.#options = options;
    this.#spent = spent;
  }

  get spent(): number {
    return this.#spent;
  }

  /** Waits for the next request's turn. @throws SurveyEnded when there is none. */
  async take(): Promise<void> {
    const { maxRequests, signal } = this.#options;
    if (signal?.aborted) throw interrupted();
    if (this.#spent >= maxRequests) throw budgetSpent(maxRequests);
    this.#spent++;
    await this.#turn();
  }

  /** The same for what takes a change back: that is never refused. */
  async takeAnyway(): Promise<void> {
    this.#spent++;
    await this.#turn();
  }

  /** @throws SurveyEnded when it is stopped meanwhile. */
  async pause(ms: number): Promise<void> {
    const { signal } = this.#options;
    await wait(ms, undefined, signal ? { signal } : {}).catch(() => {
      throw interrupted();
    });
  }

  async #turn(): Promise<void> {
    const { rate } = this.#options;
    if (!rate) return;
    const now = performance.now();
    const at = Math.max(now, this.#nextAt);
    this.#nextAt = at + 1_000 / rate;
    if (at > now) await wait(at - now);
  }
}
