import { surveyCommand } from '../../facts/index.ts';
import { type Drift, type Health, verdicts } from '../../verdict/index.ts';
import type { ScenarioResult } from './result.ts';

/** The learned answers and shapes that no longer hold in a scenario, whether or not the scenario failed because of them. */
export function driftsOf({ notes = [] }: Pick<ScenarioResult, 'notes'>): readonly Drift[] {
  return notes.flatMap(({ drift }) => drift ?? []);
}

/** The one command that accepts all drift of an environment; `undefined` if there is none. */
export function acceptingCommand(environment: string, drifts: readonly Pick<Drift, 'asked'>[]): string | undefined {
  const asked = drifts.flatMap((drift) => drift.asked);
  return asked.length === 0 ? undefined : surveyCommand(environment, asked, { update: true });
}

/** The line of output that shows the accepting command. */
export function acceptingLine(command: string): string {
  return `If all of that is intended, this command accepts it: ${command}`;
}

/** The health of the service that a result shows. Drift that breaks no consumer only degrades it. */
export function healthOf({ verdict, failures = [] }: Pick<ScenarioResult, 'verdict' | 'failures'>): Health {
  const drifted = failures.flatMap(({ drift }) => drift ?? []);
  if (verdict !== 'drifted' || drifted.length === 0 || drifted.some(({ breaks }) => breaks))
    return verdicts[verdict].health;
  return 'degraded';
}

/** Whether only the shape of responses is wrong. A rare kind of response may cause this once. */
export function isShapeAlone({ verdict, failures = [] }: Pick<ScenarioResult, 'verdict' | 'failures'>): boolean {
  const breaking = failures.flatMap(({ drift }) => (drift?.breaks ? drift : []));
  return verdict === 'drifted' && breaking.length > 0 && breaking.every(({ isShape }) => isShape);
}
