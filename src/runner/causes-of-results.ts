import { verdicts } from '../client/index.ts';
import { type Cause, causesOf, type FailedTest, failureOfReason } from '../scenario/index.ts';
import type { ScenarioResult } from './scenario-result.ts';

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
