import { type Exchange, type Grade, type Phases, phaseNames, type Verdict, verdicts } from '../client/index.ts';
import { type Cause, causesOf, type FailedTest, failureOfReason } from '../scenario/index.ts';
import type { AreaId, Effect } from '../spec/index.ts';
import type { Unreached } from './no-time-left.ts';

export interface ScenarioResult {
  readonly title: string;
  readonly area: AreaId | 'all';
  readonly effect: Effect;
  /** Path of the spec file. */
  readonly file: string;
  readonly verdict: Verdict;
  /** The grade of the expectation that broke; absent when none did. */
  readonly grade?: Grade;
  /** Why it isn't simply passed, in one line. */
  readonly reason?: string;
  /** It is skipped because nothing could be proved by it: a refusal beside no acceptance. */
  readonly unproven?: true;
  /** The environment's test data is used up. */
  readonly lacksData?: true;
  /** It is skipped because the run's time was up. */
  readonly unreached?: Unreached;
  /** The component other than the service that failed and prevented the run. */
  readonly fault?: 'provisioner';
  /** Problems that don't change the verdict: a certificate that expires soon, a failed clean-up. */
  readonly warnings?: readonly string[];
  /** Epoch, in ms. */
  readonly startedAt: number;
  readonly durationMs: number;
  readonly curl?: string;
  /** The call that broke an expectation. */
  readonly failing?: Exchange;
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
