import { setTimeout as wait } from 'node:timers/promises';
import { type Exchange, header, retryAfterText, throttlingOf } from '../../http/index.ts';
import { Undecided } from '../../questions/index.ts';

/** After this many requests in a row without a response, the survey counts the service as unreachable. */
const MOST_UNANSWERED = 3;

/** A survey stopped early. Its results are kept, and the same command resumes it. */
export class SurveyEnded extends Error {
  override readonly name = 'SurveyEnded';
  readonly reason: 'interrupted' | 'budget' | 'unreachable' | 'throttled' | 'prevented';

  constructor(reason: SurveyEnded['reason'], text: string) {
    super(text);
    this.reason = reason;
  }
}

/** A request had no response. The service may be going down, so a survey that is resumed asks this question again. */
export class NoResponse extends Undecided {}

interface BudgetOptions {
  readonly maxRequests: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Limits the requests of a survey, which ends early if the service stops responding or somebody stops it. The environment's own limits set the rate.
 */
export class RequestBudget {
  /** Requests sent so far, including undos. An undo is sent even if the budget is used up. */
  spent = 0;
  readonly #options: BudgetOptions;
  #unanswered = 0;

  constructor(options: BudgetOptions) {
    this.#options = options;
  }

  get isAnswering(): boolean {
    return this.#unanswered === 0;
  }

  /** Waits for `ms`. @throws SurveyEnded if the survey is stopped meanwhile. */
  pause(ms: number): Promise<void> {
    const { signal } = this.#options;
    return wait(ms, undefined, signal ? { signal } : {}).catch(() => {
      throw new SurveyEnded('interrupted', 'stopped');
    });
  }

  /** Sends a request. @throws SurveyEnded, also if the service is still throttling after the longest wait */
  async send(request: () => Promise<Exchange>): Promise<Exchange> {
    const { signal, maxRequests } = this.#options;
    if (signal?.aborted) throw new SurveyEnded('interrupted', 'stopped');
    if (this.spent >= maxRequests)
      throw new SurveyEnded('budget', `--max-requests ${maxRequests} is used up; the next run may send as many again`);
    this.spent++;
    const exchange = await request();
    const { operation: id, response } = exchange;
    if (!response || throttlingOf(exchange) !== 'throttled') return exchange;
    const after = header(response, 'retry-after');
    throw new SurveyEnded('throttled', `${id} returns 429${after ? `, retry after ${retryAfterText(after)}` : ''}`);
  }

  /** Checks that a request had a response. @throws NoResponse if it had none, SurveyEnded after too many of these in a row. */
  assertAnswered(exchange: Exchange): void {
    const { request, response, failure } = exchange;
    this.#unanswered = response ? 0 : this.#unanswered + 1;
    if (response) return;
    const { reason = 'unknown', phase = 'processing' } = failure ?? {};
    const text = `no response in ${phase}: ${reason}`;
    if (this.#unanswered >= MOST_UNANSWERED)
      throw new SurveyEnded('unreachable', `${new URL(request.url).origin}: ${text}`);
    throw new NoResponse(text, [exchange]);
  }
}
