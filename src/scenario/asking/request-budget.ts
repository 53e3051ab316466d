import { setTimeout as wait } from 'node:timers/promises';
import { Slots } from '../../call/index.ts';
import { type Exchange, header, retryAfterMs, throttlingOf } from '../../http/index.ts';
import { Undecided } from '../../questions/index.ts';

/** After this many consecutive throttled requests, or a longer wait, a survey ends and resumes another time. */
const MOST_THROTTLED = 5;
const LONGEST_WAIT_MS = 120_000;
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
  /** Requests in a second. */
  readonly rate?: number;
  readonly maxRequests: number;
  /** So many throttled requests in a row end it. */
  readonly mostThrottled?: number;
  readonly signal?: AbortSignal;
}

/** What a survey may send: number and rate of requests, for as long as the service responds and nobody stops it. */
export class RequestBudget {
  /** How many requests were sent. */
  spent = 0;
  readonly #options: BudgetOptions;
  readonly #slots: Slots;
  #unanswered = 0;

  constructor(options: BudgetOptions) {
    this.#options = options;
    this.#slots = new Slots(options.rate ? 1_000 / options.rate : 0, 0);
  }

  get isAnswering(): boolean {
    return this.#unanswered === 0;
  }

  /** Waits for a request's turn; an undo is always allowed one. */
  turn(): Promise<void> {
    this.spent++;
    return this.#slots.turn();
  }

  /** @throws SurveyEnded when stopped meanwhile. */
  pause(ms: number): Promise<void> {
    const { signal } = this.#options;
    return wait(ms, undefined, signal ? { signal } : {}).catch(() => {
      throw new SurveyEnded('interrupted', 'stopped');
    });
  }

  /** Sends a request in its turn, and repeats it when throttled. @throws SurveyEnded */
  async send(request: () => Promise<Exchange>): Promise<Exchange> {
    const { signal, maxRequests } = this.#options;
    for (let attempt = 1; ; attempt++) {
      if (signal?.aborted) throw new SurveyEnded('interrupted', 'stopped');
      if (this.spent >= maxRequests)
        throw new SurveyEnded('budget', `--max-requests ${maxRequests} is used up; the next run has as many again`);
      await this.turn();
      const exchange = await request();
      if (throttlingOf(exchange) !== 'throttled') return exchange;
      await this.#comeBack(exchange, attempt);
    }
  }

  async #comeBack({ operation: id, response }: Exchange, attempt: number): Promise<void> {
    const { mostThrottled = MOST_THROTTLED } = this.#options;
    const value = response && header(response, 'retry-after');
    const asked = value === undefined ? undefined : retryAfterMs(value, Date.now());
    const pauseMs = asked ?? 1_000 * 2 ** (attempt - 1);
    if (attempt >= mostThrottled || pauseMs > LONGEST_WAIT_MS)
      throw new SurveyEnded('throttled', `${id} returns 429${asked ? `, retry after ${asked / 1_000} s` : ''}`);
    await this.pause(pauseMs);
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
