import { type Exchange, isSuccess, type SuccessRule, verdicts } from '../client/index.ts';
import { hostFailureOf, type RunAllOptions, runAll, type ScenarioResult, scenarios } from '../runner/index.ts';
import type { FailedScenario } from './failed-scenarios.ts';

/** The state of a service before its survey, from its scenarios. */
export interface Preflight {
  /** A scenario passed, or none failed: there is something to learn. */
  readonly isUsable: boolean;
  /** Scenarios that failed or had no response; nothing that depends on them is learned. */
  readonly failed: readonly FailedScenario[];
  /** Every response in a scenario that passed, or was unproven: nothing in it contradicts the specification. */
  readonly exchanges: readonly Exchange[];
}

type Judged = Pick<ScenarioResult, 'title' | 'verdict' | 'unproven' | 'reason' | 'failing' | 'exchanges'>;

/** Runs every allowed scenario once. */
export async function preflight(options: RunAllOptions): Promise<Preflight> {
  const environment = { ...options.environment, drift: 'warn' } as const;
  return preflightOf(await runAll(await scenarios(), { ...options, environment }), environment.successWhen);
}

/** A survey is there to look at drift, but not at violations of the specification. */
export function preflightOf(results: readonly Judged[], rule?: SuccessRule): Preflight {
  const held = results.filter(({ verdict }) => ['up', 'degraded'].includes(verdicts[verdict].health));
  const failed = results
    .filter(({ verdict }) => verdicts[verdict].health === 'down')
    .map((result) => failedScenario(result, rule));
  return {
    isUsable: failed.length === 0 || held.length > 0,
    failed,
    exchanges: results.filter((each) => held.includes(each) || each.unproven).flatMap(({ exchanges }) => exchanges),
  };
}

function failedScenario(result: Judged, rule: SuccessRule | undefined): FailedScenario {
  const { title, verdict, reason = 'no reason', failing } = result;
  if (!failing) return { title, verdict, reason, scope: 'none' };
  const { operation, area, response } = failing;
  if (hostFailureOf(result)) return { title, verdict, reason, scope: 'area', area };
  // The call itself was accepted, so the content of the response was wrong.
  const isContent = response !== undefined && isSuccess(operation, response, rule);
  return { title, verdict, reason, scope: isContent ? 'content' : 'operation', operation };
}
