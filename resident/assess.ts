import {
  type Exchange,
  ExpectationError,
  excerpt,
  type Grade,
  gradeOf,
  isExpectError,
  SuiteFault,
  UnjudgedCall,
  type Verdict,
} from '../client/index.ts';
import { Skipped } from '../suite/index.ts';

/** What a run's end says of the service. */
export interface Assessment {
  readonly verdict: Verdict;
  readonly grade?: Grade;
  readonly reason?: string;
  readonly failing?: Exchange;
}

/** The verdict on a scenario: from what it threw (`undefined` when all held) and from the exchanges it made. */
export function assess(error: unknown, exchanges: readonly Exchange[], slowAfterMs: number): Assessment {
  if (error === undefined) return pace(exchanges, slowAfterMs);
  if (error instanceof Skipped) return { verdict: 'skipped', reason: error.message };
  if (error instanceof ExpectationError) {
    const { verdict, grade, claim, observed, exchange } = error;
    return { verdict, grade, reason: `${claim} — ${excerpt(observed, 300)}`, failing: exchange };
  }
  if (isExpectError(error)) {
    const [claim = ''] = error.message.split('\n');
    const [observed = ''] = error.matcherResult.message.split('\n');
    const failing = exchanges.at(-1);
    return {
      verdict: 'failed',
      grade: gradeOf(claim) ?? 'assumed',
      reason: `${claim} — ${excerpt(observed, 300)}`,
      ...(failing ? { failing } : {}),
    };
  }
  return { verdict: 'unknown', reason: suiteFault(error) };
}

function pace(exchanges: readonly Exchange[], slowAfterMs: number): Assessment {
  const slowest = exchanges.reduce<Exchange | undefined>(
    (a, b) => (a && a.durationMs >= b.durationMs ? a : b),
    undefined,
  );
  if (!slowest || slowest.durationMs <= slowAfterMs) return { verdict: 'passed' };
  return {
    verdict: 'slow',
    reason: `${slowest.operation} took ${Math.round(slowest.durationMs)} ms, more than SLOW_AFTER_MS=${slowAfterMs}`,
  };
}

function suiteFault(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  const isOurs = error instanceof SuiteFault || error instanceof UnjudgedCall;
  return `the suite could not judge: ${excerpt(isOurs ? text.replace(/^\w+: /, '') : `a bug in the spec or the suite, ${text}`, 300)}`;
}
