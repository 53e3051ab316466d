import { curlLine, deadline, type Exchange, type Note, type Observer, silent } from '../client/index.ts';
import type { Environment } from '../config/index.ts';
import {
  readTags,
  scenarioSeed,
  type Transports,
  untilStopped,
  World,
  type WorldValues,
  whySkipped,
} from '../scenario/index.ts';
import { certificatesOf, certificateWarnings } from './certificates.ts';
import type { Scenario } from './collect-scenarios.ts';
import { scenarioParameters } from './scenario-parameters.ts';
import type { ScenarioResult } from './scenario-result.ts';
import { verdictOf, verdictOfStopped } from './verdict-of-run.ts';

export interface RunOptions {
  readonly environment: Environment;
  readonly seed: string;
  readonly runId: string;
  /** Connections shared with other scenarios; its own, and closed at its end, when absent. */
  readonly transports?: Transports;
  /** Stops the run: calls under way end as `unknown`, and what was changed is still cleaned up. */
  readonly signal?: AbortSignal;
  /** The most that a scenario may take, clean-up apart; `scenarioTimeoutMs` of its environment when absent. */
  readonly timeoutMs?: number;
  /** Only finds out whether the environment has what the scenario needs: its body isn't played. */
  readonly rehearsal?: boolean;
  /** Stops a scenario that has had no answer by then. */
  readonly patienceMs?: number;
}

/** As long as six calls that use up their deadlines, and two waits for a list that lags. */
export function scenarioTimeoutMs({ requestTimeoutMs, consistencyTimeoutMs }: Environment): number {
  return 6 * requestTimeoutMs + 2 * consistencyTimeoutMs;
}

/**
 * Runs one scenario in this process. Whatever happens ends in a result; nothing is thrown, nothing stays open.
 * Clean-up runs also after a failure or a stop, with a time limit of its own: one call's deadline after a stop.
 */
export async function runScenario(scenario: Scenario, options: RunOptions): Promise<ScenarioResult> {
  const { environment } = options;
  const { title, details, file } = scenario;
  const exchanges: Exchange[] = [];
  const notes: Note[] = [];
  const startedAt = Date.now();
  const start = performance.now();
  const timeoutMs = options.timeoutMs ?? scenarioTimeoutMs(environment);
  const limit = deadline(timeoutMs, options.signal);
  const patience = deadline(options.patienceMs ?? timeoutMs, limit.signal);
  const exchanged = (exchange: Exchange) => {
    exchanges.push(exchange);
    if (exchange.response) patience.lift();
  };
  const { world, error } = await play(scenario, options, patience.signal, {
    ...silent,
    exchanged,
    noted: (note) => void notes.push(note),
  });
  for (const each of [patience, limit]) each.end();
  const isStopped = patience.signal.aborted;
  const made = [...exchanges];
  const leftovers = await cleanUp(world, error === undefined, isStopped ? environment.requestTimeoutMs : timeoutMs);
  const assessment =
    isStopped && error !== undefined
      ? verdictOfStopped(error, made, limit.reached ? timeoutMs : undefined)
      : verdictOf(error ?? leftovers[0], made, environment.slowAfterMs);
  const { failing, ...rest } = assessment;
  const warnings = [
    ...certificateWarnings(certificatesOf(exchanges, startedAt), environment.certificateWarningDays),
    ...notes.filter(({ kind }) => kind === 'new' || environment.drift !== 'fail').map(({ text }) => text),
    // The first drift is the reason.
    ...(rest.verdict === 'drifted' ? notes.filter(({ kind }) => kind === 'drift').slice(1) : []).map(
      ({ text }) => text,
    ),
    ...(error === undefined ? [] : leftovers.map((left) => `clean-up failed: ${verdictOf(left, exchanges, 0).reason}`)),
  ];
  return {
    title,
    ...readTags(title, details.tag),
    file,
    ...rest,
    ...(warnings.length > 0 ? { warnings } : {}),
    startedAt,
    durationMs: performance.now() - start,
    ...(failing ? { failing, curl: curlLine(failing.request) } : {}),
    exchanges,
  };
}

/** Plays the scenario's body; gives what it threw. */
async function play(
  scenario: Scenario,
  { environment, seed, runId, transports, rehearsal = false }: RunOptions,
  signal: AbortSignal,
  observer: Observer,
): Promise<{ world?: World; error?: unknown }> {
  let world: World | undefined;
  try {
    const { title, details } = scenario;
    const skipped = whySkipped(title, details.tag, environment);
    if (skipped) throw skipped;
    const own = scenarioSeed(seed, environment.name, title);
    const made = new World({ environment, observer, runId, signal, seed: own, ...(transports ? { transports } : {}) });
    world = made;
    await untilStopped(rehearsal ? rehearse(made, scenario) : perform(made, scenario), signal);
    return { world };
  } catch (error) {
    return { ...(world ? { world } : {}), error: error ?? new Error('nothing was thrown as an error') };
  }
}

async function cleanUp(world: World | undefined, verify: boolean, timeoutMs: number): Promise<unknown[]> {
  if (!world) return [];
  const limit = deadline(timeoutMs);
  try {
    return await world.close({ verify, signal: limit.signal });
  } finally {
    limit.end();
  }
}

async function perform(world: World, scenario: Scenario): Promise<void> {
  await scenario.body(await values(world, scenario));
}

async function rehearse(world: World, scenario: Scenario): Promise<void> {
  const { storedItem } = await values(world, scenario);
  // An item that nobody is going to delete can still be deleted by another run.
  storedItem?.release();
}

async function values(world: World, { body }: Scenario): Promise<WorldValues> {
  const given: Record<string, unknown> = {};
  for (const name of scenarioParameters(body)) given[name] = await world.value(name);
  return given as unknown as WorldValues;
}
