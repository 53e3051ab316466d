import type { RunCounts } from './history/rollups.ts';
import type { ProbeResult } from './probe/run-probe.ts';
import { healthOfRun, indicatorOf, passedOnRetry } from './status/run-health.ts';

/** What a run adds to the counts of its hour and day. */
export function countsOf({ first, second }: ProbeResult): Partial<RunCounts> {
  const indicator = indicatorOf(first);
  return {
    runs: 1,
    judged: indicator ? 1 : 0,
    good: indicator === 'good' ? 1 : 0,
    degraded: healthOfRun(first, second) === 'degraded' ? 1 : 0,
    retried: passedOnRetry(first, second) ? 1 : 0,
  };
}
