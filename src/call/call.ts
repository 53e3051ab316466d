import type { Exchange } from '../http/index.ts';
import { isCompleteList, type Operation } from '../service/index.ts';
import {
  assertGrade,
  broken,
  type CallSite,
  type Claim,
  ExpectationError,
  type Expected,
  NoEvidence,
  notAcceptedEither,
  outcomeOf,
  Prevented,
  type ResponseOutcome,
  type Shortfall,
  SpecMistake,
  SuiteFault,
  seenIn,
  specLineOf,
  Unmatched,
  Unproven,
} from '../verdict/index.ts';
import { type Catching, READ_ONCE, untilSeen } from './awaited-changes.ts';
import { furtherPages } from './further-pages.ts';
import type { Ledger } from './ledger.ts';
import { type HeaderChanges, RawBody } from './requests/prepare.ts';
import { ApiResponse, inside } from './response.ts';
import type { Session } from './session.ts';

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';

const safeMethods: ReadonlySet<HttpMethod> = new Set(['GET', 'OPTIONS']);

/** A call that is not sent yet. An expectation, such as `succeeds`, sends it. A call without an expectation fails the test. */
export class Call<A = unknown> {
  readonly #session: Session;
  readonly #operation: Operation;
  readonly #args: A;
  readonly #changes: HeaderChanges;
  readonly #site: CallSite;
  readonly #open: ReturnType<Ledger['enter']>;

  /** `site` returns the stack of the spec's line that made the call, so that errors point to this line. */
  constructor(session: Session, operation: Operation, args: A, changes: HeaderChanges, site: CallSite) {
    this.#session = session;
    this.#operation = operation;
    this.#args = args;
    this.#changes = changes;
    this.#site = site;
    this.#open = session.context.ledger.enter(operation.id, site);
  }

  without(header: string): Call<A> {
    return this.#changed(header, undefined);
  }

  /** The same call with another value of a header; the value is shown in reports. */
  withHeader(header: string, value: string): Call<A> {
    return this.#changed(header, value);
  }

  /** The same call with another method. A call with any method but GET and OPTIONS counts as irreversible, because it may leave something behind. */
  withMethod(method: HttpMethod): Call<A> {
    const effect = safeMethods.has(method) ? this.#operation.effect : 'irreversible';
    const { request, ...rest } = this.#operation;
    const body = request && !safeMethods.has(method) ? { request } : {};
    const operation = { ...rest, ...body, method: method as Operation['method'], effect };
    return this.#instead(operation, this.#changes);
  }

  /** Expects success: 2xx (or SUCCESS_WHEN), and JSON if there is a body. */
  succeeds(claim?: Claim): Promise<ApiResponse<A>> {
    return this.#judged('succeeds', () => this.#answer('success', claim));
  }

  /** Expects a refusal: 4xx (or SUCCESS_WHEN unmet), never 5xx. */
  isRefused(claim?: Claim): Promise<ApiResponse<A>> {
    return this.#judged('is refused', () => this.#answer('refusal', claim));
  }

  /** Expects acceptance or rejection: 2xx or 4xx (or SUCCESS_WHEN). The response shows which of the two it was. */
  isDecided(claim?: Claim): Promise<ApiResponse<A>> {
    return this.#judged('is accepted or refused', () => this.#answer('decided', claim));
  }

  /**
   * Expects the service to accept the valid request, unlike a request that it refused before.
   * @throws Unproven if the service refuses the valid request, too, because then the earlier refusal proved nothing
   * @throws ExpectationError if the service refuses the environment's credential
   */
  isAcceptedToo(): Promise<ApiResponse<A>> {
    return this.#judged('is accepted, unlike the refused request', async () => {
      const response = await this.#answer('decided', undefined, 'success');
      if (!response.isRefusal) return response;
      throw notAcceptedEither(inside(response).exchange, this.#session.context.target.successWhen);
    });
  }

  /** Expects any response but a 5xx: for clean-up, and if the specification doesn't say whether the service accepts the request. */
  settles(claim?: Claim): Promise<ApiResponse<A>> {
    return this.#judged('settles', () => this.#answer('settled', claim));
  }

  /** Like `settles`, for a request that was sent before. If a fact says how the service treats a repeat, checks the fact, too. */
  repeats(claim?: Claim): Promise<ApiResponse<A>> {
    return this.#judged('is repeated', async () => {
      const response = await this.#answer('settled', claim);
      this.#session.context.drift?.holdRepeat(inside(response).exchange, this.#site);
      return response;
    });
  }

  /** Expects the service to handle invalid input: it may accept or refuse it, with a readable response that discloses nothing. */
  isHandled(claim?: Claim): Promise<ApiResponse<A>> {
    return this.#judged('is handled', () => this.#answer('handled', claim));
  }

  /**
   * Reads again until `check` holds, for CONSISTENCY_TIMEOUT_MS at most, because a list may lag behind. A response other than a success
   * fails at once, unless it says that a list is not found yet.
   */
  eventually(check: (answer: ApiResponse<A>) => void): Promise<ApiResponse<A>> {
    return this.#judged('is as expected in time', async () => {
      const { circumstances, target } = this.#session.context;
      const answer = await this.#shown(check, target.consistencyTimeoutMs);
      circumstances?.listed(inside(answer));
      return answer;
    });
  }

  /** Reads once. The expected content must be on this page of a list or on a further one. */
  shows(check: (answer: ApiResponse<A>) => void): Promise<ApiResponse<A>> {
    return this.#judged('is as expected', () => this.#shown(check, 0));
  }

  async #shown(check: (answer: ApiResponse<A>) => void, ms: number): Promise<ApiResponse<A>> {
    const session = this.#session;
    const pause = (time: number) => session.pause(time);
    let unmet: unknown;
    const named = (what: Catching) => `${this.#operation.id} ${what}` as const;
    let shown: ReadonlySet<Catching> = new Set();
    const { last, held, waitedMs, isReadOnce } = await untilSeen(
      session.context.awaitedChanges,
      { ms, pause },
      () => this.#answer('success', undefined, 'success', true),
      async (answer) => {
        try {
          await this.#checked((whole) => {
            check(whole);
            shown = inside(whole).shown;
          }, answer);
          return { isAwaited: false, what: [...shown].map(named) };
        } catch (error) {
          if (!(error instanceof Unmatched || error instanceof NoEvidence)) throw error;
          unmet = error;
          // `NoEvidence` means that nothing shows whether the list works, so the list may be right not to show the id. In this case the
          // wait names no change, so that it isn't recorded as a wait without success.
          return {
            isAwaited: true,
            what: error instanceof Unmatched ? [named(error.isFound ? 'forgets' : 'shows')] : [],
          };
        }
      },
    );
    if (held) return last;
    const waited = `after ${Math.round(waitedMs).toLocaleString('en')} ms${isReadOnce ? `; ${READ_ONCE}` : ''}`;
    throw this.#explained(unmet, last, waited);
  }

  /**
   * Checks a response. If an entry is missing from a list that may have several pages, also reads the further pages. Later checks of this
   * list in the session read all pages at once, because an entry is gone only if no page shows it.
   */
  async #checked(check: (answer: ApiResponse<A>) => void, answer: ApiResponse<A>): Promise<void> {
    const session = this.#session;
    const mayBeCut = this.#operation.isPaged === true && !isCompleteList(inside(answer).entries ?? 0);
    if (!mayBeCut) return check(answer);
    if (!session.isCut(this.#operation.id)) {
      try {
        return check(answer);
      } catch (error) {
        if (!(error instanceof Unmatched) || error.isFound) throw error;
      }
    }
    const { exchange } = inside(answer);
    const read = async (segments: unknown) => {
      const page = await session.exchange(this.#operation, segments, this.#changes, 'decided');
      return this.#outcomeOf(page).isAccepted ? page : undefined;
    };
    const fact = session.context.target.facts?.of('paging', this.#operation.id);
    const further = await furtherPages(exchange, this.#args as { n1: string; n2: string }, fact?.answer, read);
    if (further === undefined) {
      const why = `the expected entry may be on another page, and no other page can be read: ${seenIn(exchange)}`;
      throw fact ? new Prevented(why, fact) : new Unproven(why);
    }
    if (further.length === 0) return check(answer);
    session.noteCut(this.#operation.id);
    const { successWhen } = session.context.target;
    const origin = { sent: this.#args, successWhen, further };
    check(new ApiResponse(exchange, session.sightings(this.#operation.id), origin));
  }

  #changed(header: string, value: string | undefined): Call<A> {
    return this.#instead(this.#operation, new Map(this.#changes).set(header.toLowerCase(), value));
  }

  #instead(operation: Operation, changes: HeaderChanges): Call<A> {
    this.#session.context.ledger.close(this.#open);
    return new Call(this.#session, operation, this.#args, changes, this.#site);
  }

  /**
   * Sends the call once and judges the response. If the response falls short of `outcome`, throws an error that explains why. With
   * `mayBeEmpty`, the response may be a 404 that means a list without entries.
   */
  async #answer(outcome: Expected, claim?: Claim, hoped = outcome, mayBeEmpty = false): Promise<ApiResponse<A>> {
    if (claim !== undefined) assertGrade(`the claim of ${this.#operation.id}(…)`, claim);
    const exchange = await this.#send(outcome, hoped);
    const shortfall = this.#judge(exchange, outcome, claim);
    const isTaken = !shortfall || (hoped === 'success' && this.#mayHaveNoEntries(exchange, mayBeEmpty));
    if (isTaken) return this.#taken(exchange, outcome);
    throw await this.#explainedShortfall(exchange, shortfall, hoped);
  }

  async #send(outcome: Expected, hoped: Expected): Promise<Exchange> {
    const exchange = await this.#session.exchange(this.#operation, this.#args, this.#changes, hoped);
    if (outcome === 'success' && this.#isValid) this.#session.context.contract?.holdRequest(exchange);
    return exchange;
  }

  #outcomeOf(exchange: Exchange): ResponseOutcome {
    return outcomeOf(exchange, this.#session.context.target.successWhen);
  }

  #judge(exchange: Exchange, outcome: Expected, claim: Claim | undefined): Shortfall | undefined {
    const { contract } = this.#session.context;
    const shortfall = this.#outcomeOf(exchange).shortfall(outcome, claim);
    return outcome === 'success' && shortfall && contract?.allowsNoBody(exchange) ? undefined : shortfall;
  }

  #mayHaveNoEntries(exchange: Exchange, mayBeEmpty: boolean): boolean {
    const { circumstances } = this.#session.context;
    const { isNoEntries, isPlainRefusal } = this.#outcomeOf(exchange);
    if (!isNoEntries || !isPlainRefusal) return false;
    return mayBeEmpty || (this.#isValid && circumstances?.knowsNoEntries(exchange) === true);
  }

  /**
   * The error for a response that is not the expected one. If success was `hoped` for, the error for a refusal names every possible cause.
   * If the specification leaves open whether the service accepts the arguments, the error says that the refusal proves nothing.
   */
  async #explainedShortfall(exchange: Exchange, shortfall: Shortfall, hoped: Expected): Promise<Error> {
    const { contract, circumstances } = this.#session.context;
    if (hoped !== 'success' || !this.#outcomeOf(exchange).isPlainRefusal)
      return new ExpectationError(exchange, shortfall);
    const known = this.#isValid ? circumstances : undefined;
    const open = await known?.open(this.#operation, this.#args, exchange);
    if (open) return open;
    const suspects = known?.suspects(this.#operation, this.#args);
    const observed = [shortfall.observed, suspects].filter(Boolean).join(' ');
    const doubt = contract?.doubt(exchange);
    return broken(exchange, { ...shortfall, observed }, doubt ? { text: doubt } : undefined);
  }

  get #isValid(): boolean {
    return this.#changes.size === 0;
  }

  #taken(exchange: Exchange, outcome: Expected): ApiResponse<A> {
    const sent = this.#args;
    const { contract, drift, target } = this.#session.context;
    contract?.holdResponse(exchange, this.#site);
    drift?.hold(exchange, outcome, this.#site, outcome !== 'handled' && !(sent instanceof RawBody));
    const { successWhen } = target;
    return new ApiResponse(exchange, this.#session.sightings(this.#operation.id), { sent, successWhen });
  }

  #explained(error: unknown, answer: ApiResponse, waited: string): unknown {
    if (!(error instanceof Unmatched)) return error;
    const { grade = 'assumed', claim, observed: seen } = error.failure;
    const observed = `${seen} (${waited})`;
    const { exchange } = inside(answer);
    const outcome = this.#outcomeOf(exchange);
    const shortfall = outcome.isNoEntries && outcome.shortfall('success');
    if (shortfall) return new ExpectationError(exchange, shortfall);
    const doubt = this.#session.context.circumstances?.leftBehind(exchange, error.expected);
    return broken(exchange, { verdict: 'failed', claim: `${grade}: ${claim}`, observed }, doubt);
  }

  #judged(expectation: string, judgement: () => Promise<ApiResponse<A>>): Promise<ApiResponse<A>> {
    const site = this.#site;
    const { observer, ledger } = this.#session.context;
    const actor = this.#session.actor && `as ${this.#session.actor}, `;
    const title = `${actor}${this.#operation.title.toLowerCase()} ${expectation}`;
    const step = observer.step(title, site, async () => {
      try {
        return await judgement();
      } catch (error) {
        if (error instanceof ExpectationError) throw error.at(site);
        if (error instanceof SpecMistake) throw error.at(specLineOf(site()));
        if (error instanceof SuiteFault) error.stack = `${error.name}: ${error.message}\n${site()}`;
        throw error;
      }
    });
    return ledger.track(this.#open, step);
  }
}
