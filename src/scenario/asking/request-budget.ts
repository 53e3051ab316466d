import { setTimeout as wait } from 'node:timers/promises';
import { type Exchange, header, retryAfterText, throttlingOf } from '../../http/index.ts';
import { Undecided } from '../../questions/index.ts';

/** After so many requests in a row without a response the service counts as gone. */
const MOST_UNANSWERED = 3;

/** A survey stopped early; its results are kept, and the same command resumes. */
export class SurveyEnded extends Error {
  override readonly name = 'SurveyEnded';
  readonly reason: 'interrupted' | 'budget' | 'unreachable' | 'throttled' | 'prevented';

  constructor(reason: SurveyEnded['reason'], text: string) {
    super(text);
    this.reason = reason;
  }
}

/** The service may be going down: such a question is asked again when the survey resumes. */
export class NoResponse extends Undecided {}

interface BudgetOptions {
  readonly maxRequests: number;
  readonly signal?: AbortSignal | undefined;
}

/** How many requests a survey may send, for as long as the service responds and nobody stops it; the limits of the environment set its pace. */
export class RequestBudget {
  /** How many requests were sent; an undo is always allowed one. */
  spent = 0;
  readonly #options: BudgetOptions;
  #unanswered = 0;

  constructor(options: BudgetOptions) {
    this.#options = options;
  }

  get isAnswering(): boolean {
    return this.#unanswered === 0;
  }

  /** @throws SurveyEnded when stopped meanwhile. */
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
      throw new SurveyEnded('budget', `--max-requests ${maxRequests} is used up; the next run has as many again`);
    this.spent++;
    const exchange = await request();
    const { operation: id, response } = exchange;
    if (!response || throttlingOf(exchange) !== 'throttled') return exchange;
    const after = header(response, 'retry-after');
    throw new SurveyEnded('throttled', `${id} returns 429${after ? `, retry after ${retryAfterText(after)}` : ''}`);
  }

  /** @throws NoResponse without a response, SurveyEnded after too many of these. */
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
