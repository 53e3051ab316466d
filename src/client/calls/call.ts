import { setTimeout as wait } from 'node:timers/promises';
import type { Operation } from '../../spec/index.ts';
import type { Exchange } from '../http/exchange.ts';
import { assertGrade, SpecMistake } from '../mistakes/spec-mistake.ts';
import { type NextForm, nextFormOf } from '../requests/forms.ts';
import type { HeaderChanges } from '../requests/prepare.ts';
import { RawBody } from '../requests/raw-body.ts';
import { broken, isPlainRefusal, refusedInstead } from '../verdict/broken-expectation.ts';
import { SuiteFault, Unproven } from '../verdict/category.ts';
import { type Claim, gradeOf } from '../verdict/claim.ts';
import { type CallSite, callSite, ExpectationError, isExpectError } from '../verdict/expectation-error.ts';
import { seenIn } from '../verdict/failure-message.ts';
import { type Expected, judge } from '../verdict/judge.ts';
import { specLineOf } from '../verdict/spec-line.ts';
import type { LedgerEntry } from './ledger.ts';
import { ApiResponse, inside } from './response.ts';
import { sendInForms } from './send-in-forms.ts';
import type { Session } from './session.ts';

/** Waits between the reads of `eventually`, in ms; the last one repeats. */
const POLL_MS = [50, 100, 250, 500, 1_000] as const;

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';

const safeMethods: ReadonlySet<HttpMethod> = new Set(['GET', 'OPTIONS']);

/**
 * A call that is about to be made. Nothing is sent until it ends in what should come of it; ending it in nothing
 * fails the test.
 */
export class Call<A = unknown> {
  readonly #session: Session;
  readonly #operation: Operation;
  readonly #args: A;
  readonly #changes: HeaderChanges;
  readonly #entry: LedgerEntry;

  constructor(
    session: Session,
    operation: Operation,
    args: A,
    changes: HeaderChanges,
    made: (...args: never[]) => unknown,
  ) {
    this.#session = session;
    this.#operation = operation;
    this.#args = args;
    this.#changes = changes;
    this.#entry = session.context.ledger.enter(operation.id, made);
  }

  /** The same call without a header. */
  without(header: string): Call<A> {
    return this.#changed(header, undefined, this.without);
  }

  /** The same call with another value of a header; the value is shown in reports. */
  withHeader(header: string, value: string): Call<A> {
    return this.#changed(header, value, this.withHeader);
  }

  /** The same call with another method. Whatever isn't made for reading may leave something behind. */
  withMethod(method: HttpMethod): Call<A> {
    this.#entry.superseded();
    const effect = safeMethods.has(method) ? this.#operation.effect : 'irreversible';
    const { request, ...rest } = this.#operation;
    // A reading method has no body.
    const body = request && !safeMethods.has(method) ? { request } : {};
    const operation = { ...rest, ...body, method: method as Operation['method'], effect };
    return new Call(this.#session, operation, this.#args, this.#changes, this.withMethod);
  }

  /** Done as asked: 2xx (or SUCCESS_WHEN), and a body, if any, is JSON. */
  succeeds(claim?: Claim): Promise<ApiResponse<A>> {
    const site = callSite(this.succeeds);
    return this.#judged('succeeds', site, () => this.#answer('success', site, claim, this.#nextForm));
  }

  /** Not done, and said so: 4xx (or SUCCESS_WHEN unmet), never 5xx. */
  isRefused(claim?: Claim): Promise<ApiResponse<A>> {
    const site = callSite(this.isRefused);
    return this.#judged('is refused', site, () => this.#answer('refusal', site, claim));
  }

  /** Expects acceptance or rejection: 2xx or 4xx (or SUCCESS_WHEN). The response shows which. */
  isDecided(claim?: Claim): Promise<ApiResponse<A>> {
    const site = callSite(this.isDecided);
    return this.#judged('is accepted or refused', site, () => this.#answer('decided', site, claim));
  }

  /**
   * The control of a refusal: the valid request is accepted.
   * @throws Unproven when it is refused too: then the refusal proved nothing.
   */
  isAcceptedToo(): Promise<ApiResponse<A>> {
    const site = callSite(this.isAcceptedToo);
    return this.#judged('is accepted, unlike the refused request', site, async () => {
      const response = await this.#answer('decided', site, undefined, this.#nextForm, 'success');
      if (!response.isRefusal) return response;
      throw new Unproven(`the valid request is not accepted either: ${seenIn(inside(response).exchange)}`);
    });
  }

  /** Expects any response but a 5xx: for clean-up, and where the specification leaves the outcome open. */
  settles(claim?: Claim): Promise<ApiResponse<A>> {
    const site = callSite(this.settles);
    return this.#judged('settles', site, () => this.#answer('settled', site, claim));
  }

  /** Settles a request that was sent before, just so: as a survey found it to, where there is one, and as it did before. */
  repeats(claim?: Claim): Promise<ApiResponse<A>> {
    const site = callSite(this.repeats);
    return this.#judged('settles as a repeated request', site, async () => {
      const response = await this.#answer('settled', site, claim);
      const { exchange } = inside(response);
      this.#session.context.drift?.holdRepeat(exchange, site);
      const broken = this.#session.context.circumstances?.repeated(exchange);
      if (broken) throw broken;
      return response;
    });
  }

  /** Expects invalid input to be handled, accepted or rejected: settled, readable, without disclosing anything. */
  isHandled(claim?: Claim): Promise<ApiResponse<A>> {
    const site = callSite(this.isHandled);
    return this.#judged('is handled', site, () => this.#answer('handled', site, claim));
  }

  /**
   * Reads until `check` holds, for CONSISTENCY_TIMEOUT_MS at most. A response that is not a success fails at once:
   * only a lag is waited for.
   */
  eventually(check: (answer: ApiResponse<A>) => void): Promise<ApiResponse<A>> {
    const site = callSite(this.eventually);
    return this.#judged('eventually as expected', site, async () => {
      const { consistencyTimeoutMs } = this.#session.context.target;
      const start = performance.now();
      for (let attempt = 0; ; attempt++) {
        const answer = await this.#answer('success', site);
        try {
          check(answer);
          return answer;
        } catch (error) {
          const pause = POLL_MS[Math.min(attempt, POLL_MS.length - 1)] as number;
          const waited = performance.now() - start;
          if (!isExpectError(error) || waited + pause > consistencyTimeoutMs)
            throw this.#explained(error, answer, waited);
          await this.#session.during(() => wait(pause, undefined, this.#session.context));
        }
      }
    });
  }

  #changed(header: string, value: string | undefined, made: (...args: never[]) => unknown): Call<A> {
    this.#entry.superseded();
    const changes = new Map(this.#changes).set(header.toLowerCase(), value);
    return new Call(this.#session, this.#operation, this.#args, changes, made);
  }

  /** Sends the call, in other forms for as long as it is refused, and judges what came of it. */
  async #answer(
    outcome: Expected,
    site: CallSite,
    claim?: Claim,
    nextForm?: NextForm<A>,
    hoped: Expected = outcome,
  ): Promise<ApiResponse<A>> {
    if (claim !== undefined) assertGrade(`the claim of ${this.#operation.id}(…)`, claim);
    const { target, contract } = this.#session.context;
    const isToSucceed = outcome === 'success';
    const isRefused = (exchange: Exchange) => isPlainRefusal(exchange, target.successWhen);
    const send = async (args: A) => {
      const exchange = await this.#session.exchange(this.#operation, args, this.#changes, hoped);
      if (isToSucceed && this.#changes.size === 0) contract?.holdRequest(exchange);
      return exchange;
    };
    const triesForms = isToSucceed || nextForm !== undefined;
    const { refused, last } = await sendInForms(this.#args, {
      send,
      isRefused: triesForms ? isRefused : () => false,
      nextForm,
    });
    if (last) {
      const shortfall = judge(last.exchange, outcome, target.successWhen, claim);
      if (shortfall && !(isToSucceed && contract?.allowsNoBody(last.exchange)))
        throw new ExpectationError(last.exchange, shortfall);
      // A request that is accepted the second time was not rejected for its form.
      const isFirstForm = refused.length === 0;
      if (isFirstForm || isRefused(await send(this.#args))) {
        if (!isFirstForm) last.form.taken();
        return this.#taken(last.exchange, outcome, site, last.form.args);
      }
    }
    return this.#refused(refused, outcome, site, claim);
  }

  /** Every form was refused, or none was refused for its form: the first refusal counts. */
  #refused(refused: readonly Exchange[], outcome: Expected, site: CallSite, claim?: Claim): ApiResponse<A> {
    const { target, circumstances } = this.#session.context;
    const [first, ...others] = refused as [Exchange, ...Exchange[]];
    const shortfall = judge(first, outcome, target.successWhen, claim);
    if (!shortfall) return this.#taken(first, outcome, site, this.#args);
    const met = { operation: this.#operation, args: this.#args, exchanges: [first, ...others] } as const;
    throw refusedInstead({ ...met, isValid: this.#changes.size === 0 }, shortfall, circumstances);
  }

  get #nextForm(): NextForm<A> | undefined {
    return this.#changes.size === 0 ? (nextFormOf(this.#args) as NextForm<A> | undefined) : undefined;
  }

  #taken(exchange: Exchange, outcome: Expected, site: CallSite, sent: A): ApiResponse<A> {
    const { contract, drift, target } = this.#session.context;
    contract?.holdResponse(exchange, site);
    drift?.hold(exchange, outcome, site, outcome !== 'handled' && !(sent instanceof RawBody));
    const { successWhen } = target;
    return new ApiResponse(exchange, this.#session.sightings(this.#operation.id), { sent, successWhen });
  }

  #explained(error: unknown, answer: ApiResponse, waitedMs: number): unknown {
    if (!isExpectError(error)) return error;
    if (inside(answer).lacksEvidence) return new Unproven(error.matcherResult.message.split('\n')[0] ?? '');
    const words = error.message.split('\n')[0] ?? '';
    const claim = gradeOf(words) ? (words as Claim) : (`assumed: ${words}` as Claim);
    const observed = `${error.matcherResult.message.split('\n')[0]} (after ${Math.round(waitedMs).toLocaleString('en')} ms)`;
    const { exchange } = inside(answer);
    const doubt = this.#session.context.circumstances?.leftBehind(exchange, error.matcherResult.expected);
    return broken(exchange, { verdict: 'failed', claim, observed }, doubt);
  }

  #judged(expectation: string, site: CallSite, judgement: () => Promise<ApiResponse<A>>): Promise<ApiResponse<A>> {
    const { observer } = this.#session.context;
    const actor = this.#session.actor && `as ${this.#session.actor}, `;
    const title = `${actor}${this.#operation.title.toLowerCase()} ${expectation}`;
    return this.#entry.track(
      observer.step(title, site, async () => {
        try {
          return await judgement();
        } catch (error) {
          if (error instanceof ExpectationError) throw error.at(site);
          if (error instanceof SpecMistake) throw error.at(specLineOf(site()));
          if (error instanceof SuiteFault) error.stack = `${error.name}: ${error.message}\n${site()}`;
          throw error;
        }
      }),
    );
  }
}
