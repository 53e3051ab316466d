import type { AwaitedChanges, DuringCall, Stage } from '../../call/index.ts';
import { FileTrouble } from '../../environment/files/index.ts';
import type { Environment } from '../../environment/index.ts';
import { Deadline, type Exchange, GRACE_MS, newTraceId, unlessAborted, unlessStopped } from '../../http/index.ts';
import { type HandedOn, LockFailed, type Reachability, type UsersRun, withUsers } from '../../safety/index.ts';
import {
  awaitedInRun,
  type Closed,
  keepRunHere,
  readTags,
  SpecRun,
  scenarioSeed,
  type Transports,
  useOf,
  type Verified,
  World,
  whySkipped,
} from '../../scenario/index.ts';
import { type AreaId, areaIds } from '../../service/index.ts';
import { type Note, type Observer, type ScenarioStep, silent, threwError } from '../../verdict/index.ts';
import {
  type AskedHosts,
  assertData,
  endScenario,
  failingOperations,
  isOutOfTime,
  type OwnTimeLimit,
  offline,
  outOfTime,
  ownTimeLimit,
  type Quarantined,
  type RunEvents,
  type ScenarioResult,
  STOPPED,
} from '../ending/index.ts';
import { type Scenario, scenarioParameters } from './collect-scenarios.ts';

export interface RunOptions {
  readonly environment: Environment;
  readonly seed: string;
  readonly runId: string;
  /** Connections shared with other scenarios. If absent, the scenario opens its own, and closes them at its end. */
  readonly transports?: Transports;
  /** Stops the run: calls under way are aborted, and clean-up still undoes the changes. */
  readonly signal?: AbortSignal;
  /** Stops clean-up. The journal keeps the changes that are not undone by then, and the next run undoes them. */
  readonly cleanUpSignal?: AbortSignal;
  /** Time limit in ms for a scenario, not counting its calls. Clean-up has another limit of the same length. Default: 30 s. */
  readonly timeoutMs?: number;
  /** True to find out only whether the environment has the data that the scenario needs. The body isn't played, and nothing is sent. */
  readonly isDryRun?: boolean;
  /** Why the scenario can't be played. The scenario ends with this error, and sends nothing. */
  readonly obstacle?: Error;
  /** The hosts to which this run has already tried to connect, with the results. */
  readonly askedHosts?: AskedHosts;
  /** Time in ms after which the scenario is stopped if it had no response yet. */
  readonly patienceMs?: number;
  /** Maximum duration of a call in ms, if shorter than the environment's. A call that undoes a leftover change gets half of this time. */
  readonly longestCallMs?: number | undefined;
  /**
   * Maximum duration in ms of clean-up after a scenario that had no response, or whose last call timed out. The journal keeps the remaining changes.
   */
  readonly silentCleanUpMs?: number;
  /** The quarantine list: failures of the scenarios in this list count as skipped. */
  readonly quarantine?: readonly Quarantined[] | undefined;
  readonly events?: RunEvents | undefined;
  /** Knows which addresses respond, and learns more about them from the scenario's calls. */
  readonly reach?: Reachability | undefined;
  /** Remembers for each wait for a change whether the list showed the change in time. Default: the waits of this run. */
  readonly awaitedChanges?: AwaitedChanges | undefined;
  /** The lists and profiles that scenarios of a run pass on to each other. Absent if the scenario reads them itself. */
  readonly handedOn?: HandedOn | undefined;
  /** The run that contains the scenario and has locked the users. If absent, a scenario that changes something locks the users itself. */
  readonly users?: UsersRun | undefined;
  /** Blocks requests with credentials that the service has refused. Default: a guard that knows only the refusals of this run. */
  readonly guard?: Stage | undefined;
  /** Called with a line that names the other run, if the scenario has to wait for another run with the same users. */
  readonly say?: (line: string) => void;
}

const OWN_TIME_MS = 30_000;
/** Maximum number of calls of a scenario, far more than any scenario needs. The request budget of model tests is added to it. */
const MOST_CALLS = 1_000;

/**
 * Runs one scenario in this process. Every error of the scenario or the service becomes a result, and no connection stays open. Clean-up
 * also runs after a failure or a stop, and waits for its calls. Unless `users` has locked the users, a scenario that changes something
 * waits for other runs with the same users.
 */
export async function runScenario(scenario: Scenario, options: RunOptions): Promise<ScenarioResult> {
  const { environment, runId, signal, longestCallMs, transports, isDryRun = false, obstacle, events } = options;
  const { users, say = () => {}, reach } = options;
  const { awaitedChanges = awaitedInRun(runId, environment.name) } = options;
  keepRunHere(runId);
  const { title, details, mistake } = scenario;
  const { area, effect } = readTags(title, details.tag);
  const changesNothing = mistake !== undefined || effect === 'read' || isDryRun || obstacle !== undefined;
  const play = async () => {
    const result = await playToEnd(scenario, options);
    reach?.note(result.exchanges);
    return result;
  };
  if (changesNothing || whySkipped(title, details.tag, environment)) return play();
  const run = {
    ...{ signal, say, reach, awaitedChanges },
    observer: { ...silent, exchanged: (exchange: Exchange) => events?.exchanged?.(environment.name, exchange) },
    areas: area === 'all' ? areaIds : [area],
    longestCallMs: longestCallMs && longestCallMs / 2,
    transport: transports && ((of: AreaId) => transports.of(of)),
  };
  const played = users ? play() : withUsers(environment, run, play);
  return unlessStopped(played, signal, () => notStarted(scenario, environment, signal)).catch((error: unknown) => {
    if (!(error instanceof FileTrouble)) throw error;
    return playToEnd(scenario, { ...options, obstacle: new LockFailed(`it was not begun: ${error.message}`) });
  });
}

/**
 * The result of a scenario that never started, because the run was stopped or its time was up. If the scenario would have been skipped
 * anyway, the result gives that reason instead.
 */
export function notStarted(scenario: Scenario, environment: Environment, stopped?: AbortSignal): ScenarioResult {
  const { title, details, file } = scenario;
  const skipped = whySkipped(title, details.tag, environment);
  const unreached =
    stopped && !isOutOfTime(stopped) ? ({ verdict: 'unknown', reason: STOPPED } as const) : outOfTime('not started');
  const why = skipped ? ({ verdict: 'skipped', reason: skipped.message } as const) : unreached;
  return { title, ...readTags(title, details.tag), file, startedAt: Date.now(), durationMs: 0, exchanges: [], ...why };
}

function playToEnd(scenario: Scenario, options: RunOptions): Promise<ScenarioResult> {
  const specRun = new SpecRun(scenario.line);
  return specRun.run(() => playAs(specRun, scenario, options)).finally(() => specRun.end());
}

async function playAs(specRun: SpecRun, scenario: Scenario, options: RunOptions): Promise<ScenarioResult> {
  const { environment, obstacle, askedHosts } = options;
  const { title, details, file } = scenario;
  const traceId = newTraceId();
  const exchanges: Exchange[] = [];
  const notes: Note[] = [];
  const startedAt = Date.now();
  const start = performance.now();
  const limits = [options.timeoutMs ?? OWN_TIME_MS, MOST_CALLS + 4 * environment.requestBudget] as const;
  const limit = ownTimeLimit(...limits, options.signal);
  const patience = new Deadline(options.patienceMs ?? OWN_TIME_MS, limit.signal);
  if (options.patienceMs === undefined) patience.lift();
  const planned = (exchange: Exchange) => options.events?.exchanged?.(environment.name, exchange);
  const undone = (exchange: Exchange) => {
    if (exchange.response) patience.lift();
    planned(exchange);
  };
  const exchanged = (exchange: Exchange) => {
    exchanges.push(exchange);
    undone(exchange);
  };
  const steps: ScenarioStep[] = [];
  const observer: Observer = {
    ...silent,
    exchanged,
    planned,
    noted: (note) => void notes.push(note),
    stepped: (step) => void steps.push(step),
  };
  const { signal } = patience;
  const played = obstacle
    ? { error: obstacle }
    : await play(scenario, options, { signal, during: limit.during, observer, specRun, traceId });
  const { world, error }: { world?: World; error?: unknown } = played;
  for (const each of [patience, limit]) each.end();
  const made = [...exchanges];
  const cleanUpSignal = () => cleanUpSignalOf(made, options);
  const result = await endScenario({
    title,
    ...readTags(title, details.tag),
    ...{ file, environment, traceId, startedAt, exchanges, notes, steps, error, specRun, declaredAt: scenario.line },
    acceptedOperations: world?.acceptedOperations ?? [],
    durationMs: () => performance.now() - start,
    stopped: signal.aborted && error !== undefined ? { usedUp: limit.reached, signal: options.signal } : undefined,
    close: world && ((verify) => cleanUp(world, verify, ownTimeLimit(...limits, cleanUpSignal()))),
    quarantine: options.quarantine,
    askedHosts,
    longestCallMs: options.longestCallMs,
    onBroken: (broken) => options.events?.broken?.(environment.name, broken),
  });
  world?.facts.drop(failingOperations(result));
  return result;
}

interface Shared {
  readonly signal: AbortSignal;
  readonly during: DuringCall;
  readonly observer: Observer;
  readonly specRun: SpecRun;
  readonly traceId: string;
}

/** Plays the scenario's body, and returns the error that it threw, if any. */
async function play(
  scenario: Scenario,
  {
    environment,
    seed,
    runId,
    transports,
    longestCallMs,
    awaitedChanges,
    handedOn,
    guard,
    isDryRun = false,
  }: RunOptions,
  { specRun, ...shared }: Shared,
): Promise<{ world?: World; error?: unknown }> {
  let world: World | undefined;
  try {
    const { title, details, fixtures, mistake, line: declaredAt } = scenario;
    if (mistake) throw mistake;
    const skipped = whySkipped(title, details.tag, environment);
    if (skipped) throw skipped;
    world = new World({
      ...{ environment, runId, declaredAt, fixtures, longestCallMs, awaitedChanges, handedOn, guard, ...shared },
      seed: scenarioSeed(seed, environment.name, title),
      declared: readTags(title, details.tag).effect,
      transports: isDryRun ? offline : transports,
    });
    await unlessAborted<unknown>(
      isDryRun
        ? assertData(world, scenarioParameters(scenario.body))
        : Promise.race([perform(world, scenario), specRun.broken]),
      shared.signal,
      GRACE_MS,
    );
    return { world };
  } catch (error) {
    return {
      ...(world ? { world } : {}),
      error: error ?? threwError(String(error), scenario.line),
    };
  }
}

function cleanUpSignalOf(made: readonly Exchange[], { cleanUpSignal, silentCleanUpMs, signal }: RunOptions) {
  const isSilent = made.at(-1)?.failure?.code === 'DEADLINE' || !made.some(({ response }) => response);
  // If a person stops the run, they want its changes undone, so `silentCleanUpMs` doesn't shorten the clean-up.
  const isStopped = signal?.aborted && !isOutOfTime(signal);
  if (silentCleanUpMs === undefined || isStopped || !isSilent) return cleanUpSignal;
  return AbortSignal.any([AbortSignal.timeout(silentCleanUpMs), ...(cleanUpSignal ? [cleanUpSignal] : [])]);
}

function cleanUp(world: World, verify: Verified, { signal, during, end }: OwnTimeLimit): Promise<Closed[]> {
  return world.close({ verify, signal, during }).finally(end);
}

async function perform(world: World, { title, details, body, fixtures }: Scenario): Promise<void> {
  const names = scenarioParameters(body);
  const given: Record<string, unknown> = {};
  for (const name of names) given[name] = await world.fixture(name);
  await world.begin({ ...readTags(title, details.tag), ...useOf(fixtures, names) });
  await body(given as never);
}
