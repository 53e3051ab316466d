import type { Environment } from '../config/index.ts';
import type { Scenario } from '../runner/index.ts';
import { readTags, whySkipped } from '../scenario/index.ts';

/** A scenario that an environment allows, and how often it is run there. */
export interface ProbeTarget {
  readonly environment: Environment;
  readonly scenario: Scenario;
  readonly area: ReturnType<typeof readTags>['area'];
  readonly effect: ReturnType<typeof readTags>['effect'];
  readonly intervalMs: number;
}

/** Every allowed scenario of every environment, with areas mixed so that consecutive runs share nothing. */
export function probeTargets(
  environments: readonly Environment[],
  scenarios: readonly Scenario[],
  everyMs: number,
): ProbeTarget[] {
  return environments.flatMap((environment) =>
    scenarios
      .filter(({ title, details }) => whySkipped(title, details.tag, environment) === undefined)
      .map((scenario) => ({
        environment,
        scenario,
        ...readTags(scenario.title, scenario.details.tag),
        intervalMs: intervalOf(scenario.details.tag, environment, everyMs),
      })),
  );
}

/** The shortest interval of its tags; otherwise the environment's; otherwise the default. In ms. */
function intervalOf(tags: readonly string[], { monitoring }: Environment, everyMs: number): number {
  const byTag = tags.flatMap((tag) => monitoring.everyMsByTag.get(tag.replace(/^@/, '')) ?? []);
  return byTag.length > 0 ? Math.min(...byTag) : (monitoring.everyMs ?? everyMs);
}
