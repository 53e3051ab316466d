import { surveyCommand } from '../../facts/index.ts';
import { type Drift, type Health, verdicts } from '../../verdict/index.ts';
import type { ScenarioResult } from './result.ts';

/** The learned answers and shapes of responses that didn't hold in a scenario, even if the scenario passed. */
export function driftsOf({ notes = [] }: Pick<ScenarioResult, 'notes'>): readonly Drift[] {
  return notes.flatMap(({ drift }) => drift ?? []);
}

/** The command that accepts all drift of an environment at once. `undefined` if there is no drift. */
export function acceptingCommand(environment: string, drifts: readonly Pick<Drift, 'asked'>[]): string | undefined {
  const asked = drifts.flatMap((drift) => drift.asked);
  return asked.length === 0 ? undefined : surveyCommand(environment, asked, { update: true });
}

/** The line of output with the command that accepts drift. */
export function acceptingLine(command: string): string {
  return `If all of that is intended, this command accepts it: ${command}`;
}

/** The health of the service according to a result. If drift breaks no consumer, the service is only degraded. */
export function healthOf({ verdict, failures = [] }: Pick<ScenarioResult, 'verdict' | 'failures'>): Health {
  const drifted = failures.flatMap(({ drift }) => drift ?? []);
  if (verdict !== 'drifted' || drifted.length === 0 || drifted.some(({ breaks }) => breaks))
    return verdicts[verdict].health;
  return 'degraded';
}

/**
 * True if nothing but the shape of responses is wrong. Even an unchanged service can cause this once, because the survey may have seen too
 * few responses of a rare kind.
 */
export function isShapeAlone({ verdict, failures = [] }: Pick<ScenarioResult, 'verdict' | 'failures'>): boolean {
  const breaking = failures.flatMap(({ drift }) => (drift?.breaks ? drift : []));
  return verdict === 'drifted' && breaking.length > 0 && breaking.every(({ isShape }) => isShape);
}
