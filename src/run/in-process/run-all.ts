import { definedFields, type Environment } from '../../environment/index.ts';
import { Reachability } from '../../safety/index.ts';
import { keepRunHere, nodeTransports, readTags } from '../../scenario/index.ts';
import { type AreaId, areaIds, type Effect, operations } from '../../service/index.ts';
import { NotTried, verdicts } from '../../verdict/index.ts';
import { exportScenario, type ScenarioResult } from '../ending/index.ts';
import { type Scenario, scenarioParameters } from './collect-scenarios.ts';
import { notStarted, type RunOptions, runScenario } from './run-scenario.ts';

export interface RunAllOptions extends RunOptions {
  /** Titles to begin with, in this order. */
  readonly first?: readonly string[];
}

type RunningOptions = RunAllOptions & { readonly reach: Reachability };

/** Maximum wait for a response from an address that kept its first call waiting, in ms. */
const PATIENCE_MS = 1_000;

/** The area whose changes affect users in other areas: a block. */
const AFFECTING_OTHERS: AreaId = operations.block.area;

/**
 * Runs scenarios once: areas side by side, the scenarios of an area one after the other, because they may share users.
 * Without a provisioner, all areas share users, so scenarios that affect other users run after all others. With a
 * provisioner, each area has separate users, and the scenarios of the area with the most requests run two by two. Once
 * an address is known to be down, other scenarios that need it are not tried: for a service that is down, the run takes
 * no longer than the deadline of one call plus a moment for confirmation.
 */
export async function runAll(scenarios: readonly Scenario[], options: RunAllOptions): Promise<ScenarioResult[]> {
  const byArea = Map.groupBy(scenarios, ({ title, details }) => readTags(title, details.tag).area);
  keepRunHere(options.runId);
  const { reach = new Reachability(options.environment) } = options;
  // One connection per address serves the whole run, so that a run measures each connection once.
  const own = options.transports ? undefined : nodeTransports(options.environment);
  const shared = {
    askedHosts: new Map(),
    ...options,
    reach,
    ...(own ? { transports: own } : {}),
  };
  const first = options.first ?? [];
  const rank = ({ title }: Scenario) => (first.includes(title) ? first.indexOf(title) : first.length);
  const lanes = [...byArea].map(([area, all]) => ({
    isChanging: options.environment.provisionUrl === undefined && area === AFFECTING_OTHERS,
    atOnce: options.environment.provisionUrl !== undefined && area === AFFECTING_OTHERS ? 2 : 1,
    all: all.toSorted((a, b) => rank(a) - rank(b)),
  }));
  // Those to begin with, or the time of a run might never be enough to get to them.
  const isChangingFirst = lanes.some(
    ({ isChanging, all }) => isChanging && all.some((each) => rank(each) < first.length),
  );
  const results: ScenarioResult[] = [];
  try {
    for (const turn of [isChangingFirst, !isChangingFirst]) {
      const sideBySide = lanes.filter(({ isChanging }) => isChanging === turn);
      const ended = sideBySide.map(({ all, atOnce }) => runArea(all, atOnce, shared));
      results.push(...(await Promise.all(ended)).flat());
    }
  } finally {
    await own?.dispose();
  }
  const order = new Map(scenarios.map((scenario, index) => [scenario.title, index]));
  return results.sort((a, b) => (order.get(a.title) ?? 0) - (order.get(b.title) ?? 0));
}

async function runArea(
  inArea: readonly Scenario[],
  atOnce: number,
  options: RunningOptions,
): Promise<ScenarioResult[]> {
  const results: ScenarioResult[] = [];
  const environment = options.environment.name;
  const left = inArea.values();
  const runLeft = async () => {
    for (const scenario of left) {
      const { title, details } = scenario;
      options.events?.started?.({ environment, title, area: readTags(title, details.tag).area });
      const result = await runNext(scenario, options);
      results.push(result);
      exportScenario(options.environment, result);
      options.events?.finished?.(environment, result);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, runLeft));
  return results;
}

async function runNext(scenario: Scenario, options: RunningOptions): Promise<ScenarioResult> {
  if (options.signal?.aborted) return notStarted(scenario, options.environment, options.signal);
  const { environment, reach } = options;
  const untried = (obstacle: NotTried) => runScenario(scenario, { ...options, obstacle });
  if (reach.withoutUsers) return untried(reach.withoutUsers);
  const areas = areasOf(scenario);
  const down = reach.down(areas);
  if (down) {
    const dry = await runScenario(scenario, { ...options, isDryRun: true });
    // A scenario without its test data is skipped for that reason, not counted as affected by an address.
    return verdicts[dry.verdict].ran ? untried(down) : dry;
  }
  const doubt = reach.doubt(areas);
  const patienceMs = Math.min(PATIENCE_MS, environment.requestTimeoutMs / 2);
  const result = await runScenario(scenario, doubt ? { ...options, patienceMs } : options);
  const { lacks, failures: [first] = [] } = result;
  if (lacks === 'provisioner' && first) reach.withoutUsers = new NotTried(first, { lacks });
  const isJudged = !verdicts[result.verdict].ran || result.exchanges.some(({ response }) => response);
  // The patience may have been used up before it was asked.
  const isAsked = result.exchanges.some((each) => areas.includes(each.area));
  if (!doubt || isJudged || !isAsked || options.signal?.aborted) return result;
  doubt.confirm();
  const { startedAt, durationMs, exchanges, trace } = result;
  return { ...(await untried(doubt.error)), startedAt, durationMs, exchanges, ...definedFields({ trace }) };
}

function areasOf({ title, details, body, mistake }: Scenario): readonly AreaId[] {
  const { area } = readTags(title, details.tag);
  if (mistake) return [];
  if (area !== 'all') return [area];
  const needs = scenarioParameters(body);
  return areaIds.filter((id) => needs.includes(id));
}

/** The shortest interval of an effect, unless an environment's MONITOR_EVERY_BY_TAG asks for a shorter one; in ms. */
export const shortestMs: Readonly<Partial<Record<Effect, number>>> = {
  overwriting: 600_000,
  irreversible: 3_600_000,
};

/** How far apart runs of a scenario in an environment must begin at least, to spare its data; in ms. */
export function shortestIntervalMs(tags: readonly string[], effect: Effect, { monitoring }: Environment): number {
  const byTag = tags.flatMap((tag) => monitoring.everyMsByTag.get(tag.replace(/^@/, '')) ?? []);
  return byTag.length > 0 ? Math.min(...byTag) : (shortestMs[effect] ?? 0);
}
