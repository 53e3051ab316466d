import type { Exchange } from '../http/index.ts';
import type { CallableId, Operation } from '../service/index.ts';
import type { Category } from './category.ts';
import { callOf, type Failure } from './failure.ts';
import { excerpt, failureMessage, seenIn, sentenceOf } from './failure-message.ts';
import { type Claim, partsOf } from './grade.ts';
import { outcomeOf, type Shortfall } from './response-outcome.ts';
import type { SuccessRule } from './service-under-test.ts';
import { specLineOf } from './spec-line.ts';
import { SuiteError, Unproven } from './suite-error.ts';

/** A broken expectation, with its failure and the exchange that broke it. */
export class ExpectationError extends SuiteError {
  readonly category: Category;
  override readonly exchange: Exchange;
  /** In a model test, the calls of the random plan that broke this expectation; otherwise absent. */
  calls?: readonly Exchange[];
  readonly #failure: Failure;

  constructor(exchange: Exchange, { verdict, claim, observed: seen, ...more }: Shortfall) {
    const { grade, text } = partsOf(claim);
    const excerpts = { claim: excerpt(text, 300), observed: excerpt(seen, 600) };
    const reason =
      more.drift?.sentence ??
      (more.sentence ? `${more.sentence} (${excerpts.observed})` : sentenceOf(excerpts.claim, excerpts.observed));
    super(failureMessage(exchange, [`${grade}: ${reason}`, ...(more.drift ? [excerpts.observed] : [])].join('\n  ')));
    // Reports show the name first, so it is the verdict: "Unreachable: block: POST https://…".
    this.name = verdict[0]?.toUpperCase() + verdict.slice(1);
    // A team's own document isn't the specification, so its violations have their own category.
    this.category = verdict === 'failed' && grade === 'specified' ? 'off-contract' : verdict;
    this.exchange = exchange;
    const { ending } = more;
    this.#failure = {
      ...{ verdict, category: this.category, grade, ...excerpts, reason, call: callOf(exchange) },
      ...more,
      ...(ending ? { ending: excerpt(ending, 300) } : {}),
    };
  }

  override get failure(): Failure {
    return this.#failure;
  }

  /** Makes the error point at the spec's line. `site` is the result of `callSite`, which must be called before the first `await`. */
  at(site: CallSite): this {
    this.stack = `${this.name}: ${this.message}\n${site()}`;
    return this;
  }
}

/** The stack of the caller of a judgement. It is formatted only on demand, because formatting is expensive. */
export type CallSite = () => string;

export function callSite(judgement: (...args: never[]) => unknown): CallSite {
  const holder: { stack?: string } = {};
  Error.captureStackTrace(holder, judgement);
  return () => fromSpec((holder.stack ?? '').split('\n').slice(1)).join('\n');
}

/**
 * The frames from the spec's line on. A report shows the first frame, and a frame of one of Sextant's helpers would not help its reader.
 */
function fromSpec(frames: readonly string[]): readonly string[] {
  const first = frames.findIndex((frame) => specLineOf(frame));
  return first < 0 ? frames : frames.slice(first);
}

/** A failed matcher of a spec, with the value that it expected and whether the response has this value. */
export class Unmatched extends ExpectationError {
  readonly expected: unknown;
  readonly isFound: boolean;

  constructor(exchange: Exchange, claim: Claim, observed: string, expected: unknown, isFound: boolean) {
    super(exchange, { verdict: 'failed', claim, observed });
    this.expected = expected;
    this.isFound = isFound;
  }
}

/** The error for a valid request that is not accepted: a failure if our credential was refused, otherwise `Unproven`. */
export function notAcceptedEither(exchange: Exchange, rule: SuccessRule | undefined, more = ''): SuiteError {
  const shortfall = outcomeOf(exchange, rule).shortfall('success');
  if (shortfall?.verdict === 'refused') return new ExpectationError(exchange, shortfall);
  const why = 'the valid request is not accepted either';
  return new Unproven(`${why}: ${seenIn(exchange)}${more}`, `${why}${more}`, exchange);
}

/** Something is absent from a response, but nothing shows that the response would mention it if it were there. */
export class NoEvidence extends Unproven {}

/** The error for a broken expectation: the service's failure, or `unknown` if `doubt` gives another possible reason. */
export function broken(exchange: Exchange, shortfall: Shortfall, doubt: Doubt | undefined): ExpectationError {
  if (!doubt) return new ExpectationError(exchange, shortfall);
  const { text, needs } = doubt;
  const observed = `${shortfall.observed}; ${text}`;
  return new ExpectationError(exchange, { ...shortfall, verdict: 'unknown', observed, needs });
}

/** Another possible reason for a broken expectation, in words. `needs` is the undo operation whose failure left a change behind. */
export interface Doubt {
  readonly text: string;
  readonly needs?: CallableId | undefined;
}

export interface Circumstances {
  /** Names other possible causes of a rejection of valid arguments. The text is appended to the observation. */
  suspects(operation: Operation, args: unknown): string | undefined;
  /**
   * Returns the reason why a refusal of valid arguments proves nothing, for instance because Sextant made the arguments up, or because
   * their form is an open question. `undefined` if the refusal is the service's failure.
   */
  open(operation: Operation, args: unknown, refused: Exchange): Promise<SuiteError | undefined>;
  /** Whether a fact says that this list is not found (404) while it has no entries. */
  knowsNoEntries(exchange: Exchange): boolean;
  /** Compares the response for a list with the fact about lists without entries. */
  listed(list: { readonly exchange: Exchange; readonly entries: number | undefined }): void;
  /**
   * Returns the reason why the state of an id may not be the service's fault: another scenario left a change that could not be undone.
   * `undefined` if there is no such change.
   */
  leftBehind(exchange: Exchange, id: unknown): Doubt | undefined;
}
