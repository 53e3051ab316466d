import { type Verdict, verdicts } from '../../client/index.ts';
import type { JunitCase } from '../../reporting/junit.ts';
import { causesOfResults, type ScenarioResult } from '../../runner/index.ts';

/** The results of a check in JUnit's terms. */
export function junitCases(environment: string, results: readonly ScenarioResult[]): JunitCase[] {
  const causes = causesOfResults(environment, results);
  return results.map(({ area, title, verdict, durationMs, reason, curl }) => ({
    suite: environment,
    group: area,
    name: title,
    seconds: durationMs / 1_000,
    outcome: outcomeOf(verdict),
    causes: causes.filter(({ tests }) => tests.includes(title)).map(({ sentence }) => sentence),
    ...(reason ? { message: reason } : {}),
    ...(curl ? { details: `${verdict}: ${reason}\n${curl}` } : {}),
  }));
}

function outcomeOf(verdict: Verdict): JunitCase['outcome'] {
  const { ran, exitCode } = verdicts[verdict];
  if (!ran) return 'skipped';
  return exitCode === 0 ? 'passed' : exitCode === 1 ? 'failed' : 'unknown';
}
