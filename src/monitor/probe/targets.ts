import type { Environment } from '../../environment/index.ts';
import { type Cause, holdsFacts, type Scenario, shortestMs, usedUpBy } from '../../run/index.ts';
import { readTags, type Tagged, whySkipped } from '../../scenario/index.ts';

/** Facts change with a deployment, and holding all of them takes some hundred requests. */
const FACTS_EVERY_MS = 3_600_000;

/** A scenario that an environment allows, and how often it is run there. */
export interface ProbeTarget extends Tagged {
  readonly environment: Environment;
  readonly scenario: Scenario;
  readonly intervalMs: number;
  /** Run less often than everything else, because of its effect or its many requests. Once it has failed, it runs at every interval. */
  readonly isRare: boolean;
}

/**
 * Every allowed scenario of every environment, in the order of starts: environments are mixed, and areas within each, so that consecutive
 * runs share neither a service nor users.
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

/** The shortest interval of its tags; otherwise the environment's or the default, and no shorter than its effect allows. */
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

/** The least time between two requests that can't be undone when a run comes early; in ms. */
const LASTING_MS = 600_000;

/**
 * Whether a scenario that failed may run before its interval has passed. It may if its changes can be undone. If it is irreversible, or saves an
 * avatar, it may only if its address, host or credential had failed and is back: a look tries the address, and one request the credential.
 * Both times are in ms: since it ran, and since it sent something that can't be undone.
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
 * A sentence about the data that the schedule uses up for good, with figures. `undefined` if it uses up nothing, or a
 * provisioner re-creates the data.
 */
export function usedUpText(targets: readonly ProbeTarget[]): string | undefined {
  const lasting = targets.filter(({ effect }) => effect === 'irreversible');
  const parts = [...Map.groupBy(lasting, ({ environment }) => environment)].flatMap(([environment, of]) => {
    const text = usedUpBy(
      environment,
      of.map(({ area, intervalMs }) => ({ area, times: DAY_MS / intervalMs })),
    );
    return text ? [`${environment.name}: at least ${text} a day`] : [];
  });
  return parts.length === 0 ? undefined : `Used up for good: ${parts.join('; ')}.`;
}

/** One list of several groups, each in its order and spread evenly over the whole. */
function mixed<T>(groups: readonly (readonly T[])[]): T[] {
  return groups
    .flatMap((group) => group.map((item, index) => ({ item, at: (index + 0.5) / group.length })))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}
