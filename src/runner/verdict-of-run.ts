import {
  ApiResponse,
  type Exchange,
  ExpectationError,
  excerpt,
  type Grade,
  gradeOf,
  isExpectError,
  NotTried,
  SuiteFault,
  UnjudgedCall,
  type Verdict,
} from '../client/index.ts';
import { ProvisionFailed, Skipped } from '../scenario/index.ts';

/** What a run's end says of the service. */
export interface RunVerdict {
  readonly verdict: Verdict;
  readonly grade?: Grade;
  readonly reason?: string;
  readonly failing?: Exchange;
  /** What beside the service failed, so that nothing could be tried. */
  readonly fault?: 'provisioner';
}

/** The verdict on a scenario: from what it threw (`undefined` when all held) and from the exchanges it made. */
export function verdictOf(error: unknown, exchanges: readonly Exchange[], slowAfterMs: number): RunVerdict {
  if (error === undefined) return pace(exchanges, slowAfterMs);
  if (error instanceof Skipped) return { verdict: 'skipped', reason: error.message };
  if (error instanceof ExpectationError) {
    const { verdict, grade, claim, observed, exchange } = error;
    return { verdict, grade, reason: `${claim} — ${excerpt(observed, 300)}`, failing: exchange };
  }
  if (isExpectError(error)) {
    const [claim = ''] = error.message.split('\n');
    const { actual, message } = error.matcherResult;
    const failing = actual instanceof ApiResponse ? actual.exchange : exchanges.at(-1);
    return {
      verdict: 'failed',
      grade: gradeOf(claim) ?? 'assumed',
      reason: `${excerpt(claim, 300)} — ${excerpt(message.split('\n')[0] ?? '', 300)}`,
      ...(failing ? { failing } : {}),
    };
  }
  // Its credential was refused in the calls before.
  if (error instanceof NotTried) return { verdict: 'refused', grade: 'assumed', reason: excerpt(error.message, 300) };
  const fault = error instanceof ProvisionFailed ? ({ fault: 'provisioner' } as const) : {};
  return { verdict: 'unknown', reason: suiteFault(error), ...fault };
}

/**
 * The verdict on a scenario that was stopped: by somebody, or (`usedUp` given) because it used up what it may. A failure
 * that was found before counts all the same. Slow calls never use it up, so it says nothing of the service.
 */
export function verdictOfStopped(error: unknown, exchanges: readonly Exchange[], usedUp?: string): RunVerdict {
  if (error instanceof ExpectationError && error.exchange.failure?.code !== 'ABORTED')
    return verdictOf(error, exchanges, Number.POSITIVE_INFINITY);
  if (usedUp === undefined) return { verdict: 'unknown', reason: 'the run was stopped' };
  return { verdict: 'unknown', reason: `the suite could not judge: the scenario had not ended after ${usedUp}` };
}

function pace(exchanges: readonly Exchange[], slowAfterMs: number): RunVerdict {
  const slowest = slowestOf(exchanges);
  if (!slowest || slowest.durationMs <= slowAfterMs) return { verdict: 'passed' };
  return {
    verdict: 'slow',
    reason: `${slowest.operation} took ${Math.round(slowest.durationMs)} ms, more than SLOW_AFTER_MS=${slowAfterMs}`,
  };
}

function slowestOf(exchanges: readonly Exchange[]): Exchange | undefined {
  return exchanges.reduce<Exchange | undefined>((a, b) => (a && a.durationMs >= b.durationMs ? a : b), undefined);
}

function suiteFault(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  const isOurs = error instanceof SuiteFault || error instanceof UnjudgedCall;
  return `the suite could not judge: ${excerpt(isOurs ? text.replace(/^\w+: /, '') : `a bug in the spec or the suite, ${text}`, 300)}`;
}
