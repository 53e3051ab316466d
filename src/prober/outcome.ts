import { type Verdict, verdicts } from '../client/index.ts';
import { overallVerdict, type ScenarioResult } from '../runner/index.ts';

/** What a probe says. */
export interface Outcome {
  readonly verdict: Verdict;
  /** Absent when the suite could not judge. */
  readonly success?: boolean;
}

type Judged = Pick<ScenarioResult, 'verdict' | 'unreached'>;

/**
 * The outcome of a module: it fails when one scenario shows that the service falls short; it succeeds when at least one could be judged,
 * and the time was enough for all. A scenario that is skipped for another reason counts neither way.
 */
export function outcomeOf(results: readonly Judged[]): Outcome {
  const [only, ...others] = results;
  const overall = others.length === 0 && only ? only.verdict : overallVerdict(results.map(({ verdict }) => verdict));
  if (results.some(({ verdict }) => verdicts[verdict].health === 'down')) return { verdict: overall, success: false };
  const isWhole = results.every(({ verdict, unreached }) => verdict !== 'unknown' && !unreached);
  if (!isWhole) return { verdict: others.length === 0 ? overall : 'unknown' };
  return verdicts[overall].ran && verdicts[overall].health !== 'unknown'
    ? { verdict: overall, success: true }
    : { verdict: overall };
}
