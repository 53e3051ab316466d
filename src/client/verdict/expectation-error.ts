import { type CallableId, callable, type Operation } from '../../spec/index.ts';
import type { Exchange } from '../http/exchange.ts';
import type { SuccessRule } from '../target/target.ts';
import {
  type Category,
  type Claim,
  categoryOfBroken,
  type Grade,
  gradeOf,
  SuiteError,
  verdictOfBroken,
} from './category.ts';
import { excerpt, failureMessage, sentenceOf } from './failure-message.ts';
import { judge, type Shortfall } from './judge.ts';
import { specLineOf } from './spec-line.ts';

/** A broken expectation: its claim and grade, the observation, and the call to repeat. */
export class ExpectationError extends SuiteError {
  readonly category: Category;
  readonly claim: Claim;
  readonly grade: Grade;
  readonly observed: string;
  readonly sentence?: string;
  readonly unseenIn?: CallableId;
  readonly exchange: Exchange;
  /** The calls that led to it, where they are those of a random plan. */
  calls?: readonly Exchange[];
  /** An operation that would have to work before this expectation says anything. */
  readonly needs?: CallableId;

  constructor(
    exchange: Exchange,
    {
      verdict,
      claim,
      observed,
      sentence,
      unseenIn,
    }: Omit<Shortfall, 'verdict'> & { verdict: Shortfall['verdict'] | 'drifted' },
    needs?: CallableId,
  ) {
    const grade = gradeOf(claim) ?? 'assumed';
    const seen = excerpt(observed, 600);
    super(failureMessage(exchange, sentence ? `${grade}: ${sentence} (${seen})` : sentenceOf(claim, seen)));
    // Reports show the name first, so it is the verdict: "Unreachable: block: POST https://…".
    this.name = verdict[0]?.toUpperCase() + verdict.slice(1);
    this.claim = claim;
    this.grade = grade;
    this.category = verdict === verdictOfBroken(this.grade) ? categoryOfBroken(this.grade) : verdict;
    this.observed = observed;
    this.exchange = exchange;
    if (sentence !== undefined) this.sentence = sentence;
    if (unseenIn) this.unseenIn = unseenIn;
    if (needs) this.needs = needs;
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

/** A report shows the uppermost line, which must be the spec's; what helpers stand above it says nothing to a reader. */
function fromSpec(frames: readonly string[]): readonly string[] {
  const first = frames.findIndex((frame) => specLineOf(frame));
  return first < 0 ? frames : frames.slice(first);
}

export function isExpectError(error: unknown): error is Error & {
  readonly matcherResult: {
    readonly message: string;
    readonly actual: unknown;
    readonly expected?: unknown;
    readonly pass?: boolean;
  };
} {
  return error instanceof Error && 'matcherResult' in error && error.matcherResult instanceof Object;
}

/** Whether what is valid was refused for another reason than its credentials. */
export function isPlainRefusal(exchange: Exchange, rule: SuccessRule | undefined): boolean {
  return judge(exchange, 'success', rule)?.verdict === 'failed' && judge(exchange, 'refusal', rule) === undefined;
}

/** Whether a list was not found, which is how some services answer while it has no entries. */
export function isNoEntries({ operation, response }: Exchange): boolean {
  return callable(operation).isPaged === true && response?.status === 404;
}

/** A broken expectation is the service's failure, unless something is known that may be behind it. */
export function broken(exchange: Exchange, shortfall: Shortfall, doubt: Doubt | undefined): ExpectationError {
  if (!doubt) return new ExpectationError(exchange, shortfall);
  const observed = `${shortfall.observed}; ${doubt.text}`;
  return new ExpectationError(exchange, { ...shortfall, verdict: 'unknown', observed }, doubt.needs);
}

/** What may be behind a broken expectation, in words; `needs` is the operation whose failure left it behind. */
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
