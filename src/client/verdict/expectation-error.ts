import type { Exchange } from '../http/exchange.ts';
import { type Category, categoryOfBroken, SuiteError } from './category.ts';
import { type Claim, type Grade, gradeOf, verdictOfBroken } from './claim.ts';
import { failureMessage } from './failure-message.ts';
import type { Shortfall } from './judge.ts';
import { specLineOf } from './spec-line.ts';

/** A broken expectation: its claim and grade, the observation, and the call to repeat. */
export class ExpectationError extends SuiteError {
  readonly category: Category;
  readonly claim: Claim;
  readonly grade: Grade;
  readonly observed: string;
  readonly exchange: Exchange;

  constructor(
    exchange: Exchange,
    { verdict, claim, observed }: Omit<Shortfall, 'verdict'> & { verdict: Shortfall['verdict'] | 'drifted' },
  ) {
    super(failureMessage(exchange, claim, observed));
    // Reports show the name first, so it is the verdict: "Unreachable: block: POST https://…".
    this.name = verdict[0]?.toUpperCase() + verdict.slice(1);
    this.claim = claim;
    this.grade = gradeOf(claim) ?? 'assumed';
    this.category = verdict === verdictOfBroken(this.grade) ? categoryOfBroken(this.grade) : verdict;
    this.observed = observed;
    this.exchange = exchange;
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
  readonly matcherResult: { readonly message: string; readonly actual: unknown; readonly expected?: unknown };
} {
  return error instanceof Error && 'matcherResult' in error && error.matcherResult instanceof Object;
}
