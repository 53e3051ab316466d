import { phaseSums } from '../runner/index.ts';
import type { Measured, RunCounts } from './history/rollups.ts';
import type { RunRow } from './history/runs.ts';
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

/** A run as it is kept. `planned` is an epoch, in ms. */
export function runRow({ first, second }: ProbeResult, planned: number): RunRow {
  const { status, phases } = phaseSums(first.exchanges);
  return {
    planned: Math.round(planned),
    started: first.startedAt,
    ms: first.durationMs,
    verdict: first.verdict,
    ...(second ? { retry: second.verdict } : {}),
    evidence: healthOfRun(first, second),
    ...(status === undefined ? {} : { status }),
    ...(phases ? { phases } : {}),
  };
}

/** The latency of a judged run: the time that its calls took, without that of the suite beside them. */
export function measuredOf({ first }: ProbeResult, { phases }: RunRow): Measured | undefined {
  if (!indicatorOf(first)) return undefined;
  const calls = Object.values(phases ?? {});
  const ms = calls.length === 0 ? first.durationMs : calls.reduce((sum, each) => sum + each, 0);
  return { ms, ...(phases ? { phases } : {}) };
}
