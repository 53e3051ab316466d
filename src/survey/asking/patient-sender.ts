import { type Exchange, type Expected, header, retryAfterMs, type Session } from '../../client/index.ts';
import type { Operation } from '../../spec/index.ts';
import { Undecided } from '../facts/fact.ts';
import { type RequestBudget, SurveyEnded } from './request-budget.ts';

/** After this many consecutive throttled requests, or a longer wait, a survey ends and resumes another time. */
const MOST_THROTTLED = 5;
const LONGEST_WAIT_MS = 120_000;
/** After so many requests in a row without a response the service counts as gone. */
const MOST_UNANSWERED = 3;

/** A request of an experiment, ready to be sent. */
export interface SurveyRequest {
  readonly entry: Operation;
  readonly args: unknown;
  readonly session: Session;
  readonly changes: ReadonlyMap<string, string | undefined>;
  readonly expected: Expected;
}

/** Sends within the budget, waits when throttled, and detects a service that no longer responds. */
export class PatientSender {
  readonly #budget: RequestBudget;
  #unanswered = 0;

  constructor(budget: RequestBudget) {
    this.#budget = budget;
  }

  /** Whether the last request had a response. */
  get isAnswering(): boolean {
    return this.#unanswered === 0;
  }

  /** Sends a request, and repeats it when throttled. @throws SurveyEnded */
  async send({ entry, args, session, changes, expected }: SurveyRequest): Promise<Exchange> {
    for (let attempt = 1; ; attempt++) {
      await this.#budget.take();
      const exchange = await session.exchange(entry, args, changes, expected);
      if (exchange.response?.status !== 429) return exchange;
      await this.#comeBack(exchange, attempt);
    }
  }

  /** @throws NoResponse without a response, SurveyEnded after too many of these. */
  assertAnswered(exchange: Exchange): void {
    if (exchange.response) {
      this.#unanswered = 0;
      return;
    }
    const { reason = 'unknown', phase = 'processing' } = exchange.failure ?? {};
    if (++this.#unanswered >= MOST_UNANSWERED)
      throw new SurveyEnded(
        'unreachable',
        `${new URL(exchange.request.url).origin}: no response in ${phase}: ${reason}`,
      );
    throw new NoResponse(`no response in ${phase}: ${reason}`, [exchange]);
  }

  async #comeBack({ operation: id, response }: Exchange, attempt: number): Promise<void> {
    const value = response && header(response, 'retry-after');
    const asked = value === undefined ? undefined : retryAfterMs(value, Date.now());
    const pause = asked ?? 1_000 * 2 ** (attempt - 1);
    if (attempt >= MOST_THROTTLED || pause > LONGEST_WAIT_MS)
      throw new SurveyEnded('throttled', `${id} returns 429${asked ? `, retry after ${asked / 1_000} s` : ''}`);
    await this.#budget.pause(pause);
  }
}

/** The service may be going down: such a question is asked again when the survey resumes. */
export class NoResponse extends Undecided {}
