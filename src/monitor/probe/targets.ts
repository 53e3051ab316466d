import type { Environment } from '../../environment/index.ts';
import { type Cause, holdsFacts, type Scenario, shortestMs, usedUpBy } from '../../run/index.ts';
import { readTags, type Tagged, whySkipped } from '../../scenario/index.ts';

/**
 * Shortest interval of scenarios that check facts, in ms: facts change only with a deployment, and checking all of them takes some hundred requests.
 */
const FACTS_EVERY_MS = 3_600_000;

/** A scenario that an environment allows, and how often it is run there. */
export interface ProbeTarget extends Tagged {
  readonly environment: Environment;
  readonly scenario: Scenario;
  readonly intervalMs: number;
  /** The scenario runs less often than others, because of its effect or its many requests. After a failure it may run at the usual interval. */
  readonly isRare: boolean;
}

/**
 * Every allowed scenario of every environment, in the order in which they start. Environments are mixed, and so are areas within each, so that
 * consecutive runs share neither a service nor users.
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
 * The interval of a scenario: the shortest that is set for one of its tags; otherwise that of the environment or the default, but no shorter than its
 * effect allows.
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

/** If a scenario runs early, the least time between two of its requests that can't be undone; in ms. */
const LASTING_MS = 600_000;

/**
 * Whether a scenario that failed may run before its interval has passed. It may if its changes can be undone. An irreversible scenario, or one that
 * saves an avatar, may run early only if its address, host or credential failed and works again: a look tries the address, and one request tries the
 * credential. `ranMs` is the time since the last run, and `lastingMs` the time since a request that can't be undone; both are in ms.
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
 * A sentence with figures about the data that the schedule uses up for good. `undefined` if it uses up nothing, or a provisioner re-creates the data.
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

/** Merges several groups into one list: each group keeps its order, and is spread evenly over the list. */
function mixed<T>(groups: readonly (readonly T[])[]): T[] {
  return groups
    .flatMap((group) => group.map((item, index) => ({ item, at: (index + 0.5) / group.length })))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}
