import { setTimeout as wait } from 'node:timers/promises';

interface BudgetOptions {
  /** Requests per second; absent: no limit. */
  readonly rate?: number;
  readonly maxRequests: number;
  readonly signal?: AbortSignal;
}

/** The limits of a survey: number and rate of requests, and the stop signal. */
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

  /** Waits for the next request's turn. @throws SurveyEnded if none is left. */
  async take(): Promise<void> {
    const { maxRequests, signal } = this.#options;
    if (signal?.aborted) throw interrupted();
    if (this.#spent >= maxRequests) throw budgetSpent(maxRequests);
    this.#spent++;
    await this.#turn();
  }

  /** The same for an undo, which is always allowed. */
  async takeAnyway(): Promise<void> {
    this.#spent++;
    await this.#turn();
  }

  /** @throws SurveyEnded when stopped meanwhile. */
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

/** The reason why a survey stopped early; its results are kept, and the same command resumes. */
type EndReason = 'interrupted' | 'budget' | 'unreachable' | 'throttled';

export class SurveyEnded extends Error {
  override readonly name = 'SurveyEnded';
  readonly reason: EndReason;

  constructor(reason: EndReason, text: string) {
    super(text);
    this.reason = reason;
  }
}

function interrupted(): SurveyEnded {
  return new SurveyEnded('interrupted', 'stopped');
}

function budgetSpent(maxRequests: number): SurveyEnded {
  return new SurveyEnded('budget', `--max-requests ${maxRequests} is used up; the next run has as many again`);
}
