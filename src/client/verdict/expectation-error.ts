import type { Exchange } from '../exchange.ts';
import { SuiteError } from './category.ts';
import { type Claim, type Grade, gradeOf } from './claim.ts';
import { failureMessage } from './failure-message.ts';
import type { Shortfall } from './judge.ts';

/** An expectation that broke: what was expected by which grade, what was observed, and how to repeat it. */
export class ExpectationError extends SuiteError {
  readonly category: Shortfall['verdict'] | 'drifted';
  readonly claim: Claim;
  readonly grade: Grade;
  readonly observed: string;
  readonly exchange: Exchange;

  constructor(
    exchange: Exchange,
    { verdict, claim, observed }: Omit<Shortfall, 'verdict'> & { verdict: ExpectationError['category'] },
  ) {
    super(failureMessage(exchange, claim, observed));
    // The name is what a report shows first, so it says the verdict: "Unreachable: block: POST https://…".
    this.name = verdict[0]?.toUpperCase() + verdict.slice(1);
    this.category = verdict;
    this.claim = claim;
    this.grade = gradeOf(claim) ?? 'assumed';
    this.observed = observed;
    this.exchange = exchange;
  }

  /** Makes the error point at the spec's line: `site` is what `callSite` took before the first `await`. */
  at(site: CallSite): this {
    this.stack = `${this.name}: ${this.message}\n${site()}`;
    return this;
  }
}

/** The stack above a judgement; written out only when it is asked for, which costs more than to take it. */
export type CallSite = () => string;

/** The stack above `judgement`, taken now. */
export function callSite(judgement: (...args: never[]) => unknown): CallSite {
  const holder: { stack?: string } = {};
  Error.captureStackTrace(holder, judgement);
  return () => (holder.stack ?? '').split('\n').slice(1).join('\n');
}
