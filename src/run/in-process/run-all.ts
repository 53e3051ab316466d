import { definedFields, type Environment } from '../../environment/index.ts';
import { JournalFiles, Reachability, ReadLists, RunProfiles, sweep } from '../../safety/index.ts';
import { keepRunHere, nodeTransports, RESTORABLE, readTags, useOf } from '../../scenario/index.ts';
import {
  type AreaId,
  areaIds,
  type Effect,
  type Operation,
  operation,
  operationIds,
  operations,
} from '../../service/index.ts';
import { NotTried, verdicts } from '../../verdict/index.ts';
import { exportScenario, type ScenarioResult } from '../ending/index.ts';
import { type Scenario, scenarioParameters } from './collect-scenarios.ts';
import { notStarted, type RunOptions, runScenario } from './run-scenario.ts';

export interface RunAllOptions extends RunOptions {
  /** Titles of the scenarios that the run plays first, in this order. */
  readonly first?: readonly string[];
}

type RunningOptions = RunAllOptions & { readonly reach: Reachability };

/** Maximum wait for a response in ms, if an earlier call to the same address had none. */
const PATIENCE_MS = 1_000;

/** The area of blocks. A block also affects what the blocked user sees in other areas. */
const AFFECTING_OTHERS: AreaId = operations.block.area;
const PROFILES: AreaId = operations.updateProfile.area;

/**
 * Runs each scenario once. Areas run in parallel; the scenarios of an area run one after the other, because they may share users.
 * Exceptions:
 * - Without a provisioner, all areas share users. So the scenarios of the area with blocks have a separate turn, normally the second one.
 * In this turn, only scenarios in which a user changes nothing but their own profile run in parallel with them.
 * - With a provisioner, each scenario has its own users. So the area with blocks, which has the most requests, runs two scenarios at a
 * time.
 * - Scenarios that only read run in parallel with the others of their area, if no read of the area shows a change.
 * - If an address is known to be down, further scenarios that need this address are not tried. So if the service is down, the run takes
 * hardly longer than the deadline of one call.
 */
export async function runAll(scenarios: readonly Scenario[], options: RunAllOptions): Promise<ScenarioResult[]> {
  const { environment, signal } = options;
  const hasSharedUsers = environment.provisionUrl === undefined;
  const isBesideBlocks = (each: Scenario) => hasSharedUsers && (areaOf(each) === AFFECTING_OTHERS || isAlone(each));
  const byLane = Map.groupBy(scenarios, (each) => `${areaOf(each)} ${isBesideBlocks(each)} ${isMerelyReading(each)}`);
  keepRunHere(options.runId);
  const { reach = new Reachability(environment) } = options;
  // The scenarios of a run share their connections, so the run measures the time to connect only once per address.
  const ownTransports = options.transports ? undefined : nodeTransports(environment);
  const profiles =
    hasSharedUsers && options.users
      ? new RunProfiles(environment, scenarios.filter(mayChangeProfiles).length, signal)
      : undefined;
  const journals = new JournalFiles();
  const shared = {
    ...(profiles ? { handedOn: { profiles, journals, lists: new ReadLists(environment) } } : {}),
    askedHosts: new Map(),
    ...options,
    reach,
    ...(ownTransports ? { transports: ownTransports } : {}),
  };
  const first = options.first ?? [];
  const rank = ({ title }: Scenario) => (first.includes(title) ? first.indexOf(title) : first.length);
  const lanes = [...byLane.values()].map((all) => ({
    isChanging: all.some(isBesideBlocks),
    atOnce: !hasSharedUsers && all.some((each) => areaOf(each) === AFFECTING_OTHERS) ? 2 : 1,
    all: all.toSorted((a, b) => rank(a) - rank(b)),
  }));
  // The turn that contains scenarios of `first` comes first, so that even a run with little time reaches these scenarios.
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
    profiles?.journal.end();
    journals.end();
    // The last scenario that may change profiles restores them. If the run was stopped before that scenario, nothing has restored them yet.
    if (profiles && signal?.aborted) await sweepProfiles(shared);
    await ownTransports?.dispose();
  }
  const order = new Map(scenarios.map((scenario, index) => [scenario.title, index]));
  return results.sort((a, b) => (order.get(a.title) ?? 0) - (order.get(b.title) ?? 0));
}

function sweepProfiles({ environment, transports, cleanUpSignal, reach }: RunAllOptions) {
  const transport = transports && ((area: AreaId) => transports.of(area));
  const options = { areas: [PROFILES], keepsUnanswered: true, signal: cleanUpSignal, reach, transport };
  return sweep(environment, options);
}

function areaOf({ title, details }: Scenario) {
  return readTags(title, details.tag).area;
}

function mayChangeProfiles({ title, details }: Scenario): boolean {
  const { area, effect } = readTags(title, details.tag);
  return area === PROFILES && effect !== 'read';
}

/** Whether a scenario changes only a user's own profile, and involves no other user. */
function isAlone(scenario: Scenario): boolean {
  const { details, fixtures, body } = scenario;
  const { meetsOthers } = useOf(fixtures, scenarioParameters(body));
  return areaOf(scenario) === PROFILES && details.tag.includes(RESTORABLE) && !meetsOthers;
}

/** Whether a scenario only reads, in an area whose reads show no changes of other scenarios. */
function isMerelyReading({ title, details }: Scenario): boolean {
  const { area, effect } = readTags(title, details.tag);
  const isShown = ({ area: of, ...entry }: Operation) => of === area && ('shownBy' in entry || 'restoredBy' in entry);
  return effect === 'read' && !operationIds.map((id) => operation(id)).some(isShown);
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

async function runNext(scenario: Scenario, given: RunningOptions): Promise<ScenarioResult> {
  const { lists, journals, profiles } = given.handedOn ?? {};
  const isOfProfiles = mayChangeProfiles(scenario);
  if (isOfProfiles) profiles?.begin();
  const options = { ...given, handedOn: { lists, journals, profiles: isOfProfiles ? profiles : undefined } };
  if (options.signal?.aborted) return notStarted(scenario, options.environment, options.signal);
  const { environment, reach } = options;
  const untried = (obstacle: NotTried) => runScenario(scenario, { ...options, obstacle });
  if (reach.withoutUsers) return untried(reach.withoutUsers);
  const areas = areasOf(scenario);
  const down = reach.down(areas);
  if (down) {
    const dry = await runScenario(scenario, { ...options, isDryRun: true });
    // If the scenario's test data is missing, the scenario is skipped for that reason, and not listed among those that need the address.
    return verdicts[dry.verdict].ran ? untried(down) : dry;
  }
  const doubt = reach.doubt(areas);
  const patienceMs = Math.min(PATIENCE_MS, environment.requestTimeoutMs / 2);
  const result = await runScenario(scenario, doubt ? { ...options, patienceMs } : options);
  const { lacks, failures: [first] = [] } = result;
  if (lacks === 'provisioner' && first) reach.withoutUsers = new NotTried(first, { lacks });
  const isJudged = !verdicts[result.verdict].ran || result.exchanges.some(({ response }) => response);
  // `patienceMs` may have ended the scenario before it sent a request to the address.
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

/** The minimum interval between two runs of a scenario, by effect, in ms. MONITOR_EVERY_BY_TAG may set a shorter one. */
export const shortestMs: Readonly<Partial<Record<Effect, number>>> = {
  overwriting: 600_000,
  irreversible: 3_600_000,
};

/**
 * The minimum time in ms between the beginnings of two runs of a scenario. It limits what the runs use up and change in the environment.
 */
export function shortestIntervalMs(tags: readonly string[], effect: Effect, { monitoring }: Environment): number {
  const byTag = tags.flatMap((tag) => monitoring.everyMsByTag.get(tag.replace(/^@/, '')) ?? []);
  return byTag.length > 0 ? Math.min(...byTag) : (shortestMs[effect] ?? 0);
}
