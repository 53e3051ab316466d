import type { Environment } from '../../environment/index.ts';
import { type Cause, holdsFacts, type Scenario, shortestMs, usedUpBy } from '../../run/index.ts';
import { readTags, type Tagged, whySkipped } from '../../scenario/index.ts';

/**
 * Shortest interval of scenarios that check facts, in ms. Facts change only with a deployment, and checking all of them takes some hundred
 * requests.
 */
const FACTS_EVERY_MS = 3_600_000;

/** A scenario that an environment allows, and how often it runs there. */
export interface ProbeTarget extends Tagged {
  readonly environment: Environment;
  readonly scenario: Scenario;
  readonly intervalMs: number;
  /**
   * The scenario runs less often than other scenarios, because of its effect or because it sends many requests. After a failure it may run
   * at the usual interval.
   */
  readonly isRare: boolean;
}

/**
 * Every allowed scenario of every environment, in the order in which they start. The order alternates between environments, and between
 * areas within each, so that consecutive runs use different services and users.
 */
export function probeTargets(
  environments: readonly Environment[],
  scenarios: readonly Scenario[],
  everyMs: number,
): ProbeTarget[] {
  const ofEach = environments.map((environment) =>
    scenarios
      .filter((scenario) => environment.facts !== undefined || !holdsFacts(scenario))
      .filter(({ title, details }) => whySkipped(title, details.tag, environment) === undefined)
      .map((scenario) => {
        const tags = readTags(scenario.title, scenario.details.tag);
        const { intervalMs, isRare } = intervalOf(scenario.details.tag, tags.effect, environment, everyMs);
        const slowestMs = holdsFacts(scenario) ? FACTS_EVERY_MS : 0;
        const isSlowed = isRare || intervalMs < slowestMs;
        return { environment, scenario, ...tags, intervalMs: Math.max(intervalMs, slowestMs), isRare: isSlowed };
      }),
  );
  return mixed(ofEach.map((targets) => mixed([...Map.groupBy(targets, ({ area }) => area).values()])));
}

/**
 * The interval of a scenario. If the environment sets intervals for tags of the scenario, it is the shortest of these. Otherwise it is the
 * environment's interval or the default, but no shorter than the scenario's effect allows.
 */
function intervalOf(
  tags: readonly string[],
  effect: ProbeTarget['effect'],
  { monitoring }: Environment,
  everyMs: number,
): Pick<ProbeTarget, 'intervalMs' | 'isRare'> {
  const byTag = tags.flatMap((tag) => monitoring.everyMsByTag.get(tag.replace(/^@/, '')) ?? []);
  if (byTag.length > 0) return { intervalMs: Math.min(...byTag), isRare: false };
  const usual = monitoring.everyMs ?? everyMs;
  const intervalMs = Math.max(usual, shortestMs[effect] ?? 0);
  return { intervalMs, isRare: intervalMs > usual };
}

/** Shortest time between two requests that can't be undone, if a scenario runs before the end of its interval; in ms. */
const LASTING_MS = 600_000;

/**
 * Whether a scenario that failed may run before the end of its interval.
 * It may if its changes can be undone. An irreversible scenario, and one that has saved an avatar, may run early only after a failure of
 * its credential, address or host. To try a credential, one request of the run is enough. An address or a host must first respond to a test
 * (`if back`).
 * `ranMs` is the time since the last run, and `lastingMs` the time since the last request that can't be undone, in ms.
 */
export function mayRunEarly(
  { isRare, effect, intervalMs }: Pick<ProbeTarget, 'isRare' | 'effect' | 'intervalMs'>,
  ranMs: number,
  lastingMs: number,
  cause: Pick<Cause, 'kind'> | undefined,
): 'yes' | 'no' | 'if back' {
  if (!isRare || ranMs >= intervalMs * 0.99 || cause?.kind === 'credential') return 'yes';
  if (effect !== 'irreversible' && lastingMs === Number.POSITIVE_INFINITY) return 'yes';
  return (cause?.kind === 'host' || cause?.kind === 'address') && lastingMs >= LASTING_MS ? 'if back' : 'no';
}

const DAY_MS = 86_400_000;

/**
 * A sentence that says how much data the scheduled runs use up for good. `undefined` if they use up none, or a provisioner re-creates the
 * data.
 */
export function usedUpText(targets: readonly ProbeTarget[]): string | undefined {
  const lasting = targets.filter(({ effect }) => effect === 'irreversible');
  const parts = [...Map.groupBy(lasting, ({ environment }) => environment)].flatMap(([environment, of]) => {
    const text = usedUpBy(
      environment,
      of.map(({ area, intervalMs }) => ({ area, times: DAY_MS / intervalMs })),
    );
    return text ? [`${environment.name}: each day the monitor ${text}`] : [];
  });
  return parts.length === 0 ? undefined : `${parts.join('; ')}.`;
}

/** Merges several groups into one list. Each group keeps its order, and its items are spread evenly over the list. */
function mixed<T>(groups: readonly (readonly T[])[]): T[] {
  return groups
    .flatMap((group) => group.map((item, index) => ({ item, at: (index + 0.5) / group.length })))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}
