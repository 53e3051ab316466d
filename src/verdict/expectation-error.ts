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

/** A broken expectation: its failure, and the call to repeat. */
export class ExpectationError extends SuiteError {
  readonly category: Category;
  override readonly exchange: Exchange;
  /** The calls that led to it, where they are those of a random plan. */
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
    // A team's own document isn't the specification, so it is never filed under it.
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

  /** Makes the error point at the spec's line: `site` comes from `callSite`, called before the first `await`. */
  at(site: CallSite): this {
    this.stack = `${this.name}: ${this.message}\n${site()}`;
    return this;
  }
}

/** The stack above a judgement, formatted on demand, because formatting is expensive. */
export type CallSite = () => string;

export function callSite(judgement: (...args: never[]) => unknown): CallSite {
  const holder: { stack?: string } = {};
  Error.captureStackTrace(holder, judgement);
  return () => fromSpec((holder.stack ?? '').split('\n').slice(1)).join('\n');
}

/** A report shows the uppermost line, which must be that of the spec; lines of helpers above it tell a reader nothing. */
function fromSpec(frames: readonly string[]): readonly string[] {
  const first = frames.findIndex((frame) => specLineOf(frame));
  return first < 0 ? frames : frames.slice(first);
}

/** A matcher of a spec that doesn't hold: the value that it looked for, and whether the response has it. */
export class Unmatched extends ExpectationError {
  readonly expected: unknown;
  readonly isFound: boolean;

  constructor(exchange: Exchange, claim: Claim, observed: string, expected: unknown, isFound: boolean) {
    super(exchange, { verdict: 'failed', claim, observed });
    this.expected = expected;
    this.isFound = isFound;
  }
}

/** A valid request is not accepted: our credential is refused, or the refusal next to it proves nothing. */
export function notAcceptedEither(exchange: Exchange, rule: SuccessRule | undefined, more = ''): SuiteError {
  const shortfall = outcomeOf(exchange, rule).shortfall('success');
  if (shortfall?.verdict === 'refused') return new ExpectationError(exchange, shortfall);
  const why = 'the valid request is not accepted either';
  return new Unproven(`${why}: ${seenIn(exchange)}${more}`, `${why}${more}`, exchange);
}

/** Something is absent, and nothing shows that it would have been seen. */
export class NoEvidence extends Unproven {}

/** A broken expectation is the service's failure, unless something is known that may be behind it. */
export function broken(exchange: Exchange, shortfall: Shortfall, doubt: Doubt | undefined): ExpectationError {
  if (!doubt) return new ExpectationError(exchange, shortfall);
  const { text, needs } = doubt;
  const observed = `${shortfall.observed}; ${text}`;
  return new ExpectationError(exchange, { ...shortfall, verdict: 'unknown', observed, needs });
}

/** A possible reason for a broken expectation, in words; `needs` is the operation whose failure left something behind. */
export interface Doubt {
  readonly text: string;
  readonly needs?: CallableId | undefined;
}

export interface Circumstances {
  /** Possible other causes of a rejection of valid arguments, appended to the observation. */
  suspects(operation: Operation, args: unknown): string | undefined;
  /** Why the refusal of valid arguments proves nothing: the suite made them up, or in a form that is open. `undefined` when it fails the service. */
  open(operation: Operation, args: unknown, refused: Exchange): Promise<SuiteError | undefined>;
  /** Whether a list that is not found has no entries then, by a fact. */
  knowsNoEntries(exchange: Exchange): boolean;
  /** Holds how a list without entries is answered to the fact about it. */
  listed(list: { readonly exchange: Exchange; readonly entries: number | undefined }): void;
  /** Why the state of an id can't be blamed on the service: another scenario left something undone. `undefined` when it can. */
  leftBehind(exchange: Exchange, id: unknown): Doubt | undefined;
}
