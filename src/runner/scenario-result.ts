import { type Exchange, type Phases, phaseNames, type Verdict, verdicts } from '../client/index.ts';
import { type Cause, causesOf, type FailedTest, failureOfReason } from '../scenario/index.ts';
import type { AreaId, Effect } from '../spec/index.ts';
import type { RunVerdict } from './verdict-of-run.ts';

export interface ScenarioResult extends RunVerdict {
  readonly title: string;
  readonly area: AreaId | 'all';
  readonly effect: Effect;
  /** Path of the spec file. */
  readonly file: string;
  /** Problems that don't change the verdict: a certificate that expires soon, a failed clean-up. */
  readonly warnings?: readonly string[];
  /** Epoch, in ms. */
  readonly startedAt: number;
  readonly durationMs: number;
  readonly curl?: string;
  readonly exchanges: readonly Exchange[];
}

type Told = Pick<ScenarioResult, 'title' | 'verdict' | 'reason' | 'failing'>;

/** The causes of all that fell short or could not be judged in one environment, the gravest first. */
export function causesOfResults(environment: string, results: readonly Told[]): Cause[] {
  return causesOf(
    results.flatMap(({ title, verdict, reason = '', failing }): FailedTest[] => {
      const { ran, exitCode } = verdicts[verdict];
      if (!ran || exitCode === 0) return [];
      return [{ ...failureOfReason(verdict, reason, failing), environment, title }];
    }),
  );
}

/** The last status of a run and its phases summed over its calls; empty without calls. */
export function phaseSums(exchanges: readonly Exchange[]): { status?: number; phases?: Phases } {
  const status = exchanges.findLast(({ response }) => response)?.response?.status;
  const sums: Phases = {};
  for (const { phases } of exchanges)
    for (const name of phaseNames) {
      const ms = phases[name];
      if (ms !== undefined) sums[name] = (sums[name] ?? 0) + ms;
    }
  for (const name of phaseNames) if (sums[name] !== undefined) sums[name] = Number(sums[name].toFixed(3));
  return {
    ...(status === undefined ? {} : { status }),
    ...(exchanges.length > 0 ? { phases: sums } : {}),
  };
}

/** The verdict on many scenarios: the most severe. Without a scenario that ran it is `unknown`: a pass must prove something. */
export function overallVerdict(all: readonly Verdict[]): Verdict {
  const [worst] = [...all].sort((a, b) => verdicts[b].severity - verdicts[a].severity);
  return worst === undefined || !verdicts[worst].ran ? 'unknown' : worst;
}

/** 0 all passed or slow · 1 the service fell short · 3 could not judge. (2 is usage or configuration.) */
export function exitCode(verdict: Verdict): 0 | 1 | 3 {
  return verdicts[verdict].exitCode;
}
