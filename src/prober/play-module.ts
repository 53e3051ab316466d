import { randomUUID } from 'node:crypto';
import type { Environment } from '../environment/index.ts';
import {
  healthOf,
  hostFailureOf,
  type RunAllOptions,
  type RunEvents,
  runAll,
  type ScenarioResult,
  shortestIntervalMs,
  stopsOf,
} from '../run/index.ts';
import { assertJournalsWhole, isDivisible, Reachability, type UsersRun, withUsers } from '../safety/index.ts';
import { forgetRun, runSeed } from '../scenario/index.ts';
import { areasOf, type NamedScenario } from './modules.ts';
import type { ProbeRun } from './probe-run.ts';

/**
 * Maximum duration of a call, as a fraction of the time that the probe has for all its scenarios; half as long for calls that undo a
 * change. Calls to a service that doesn't respond take this long. With a higher limit, the probe's time would be over before it could
 * report that.
 */
const LONGEST_CALL = 0.4;

/** The state that all runs of a prober share. */
interface Shared {
  readonly last: LastResults;
  /** Waits for one of the places for concurrent runs, whose number is limited. Resolves to a function that frees the place. */
  readonly enter: (signal: AbortSignal) => Promise<() => void>;
  readonly say: (line: string) => void;
}

type Sending = Pick<RunAllOptions, 'signal' | 'say' | 'silentCleanUpMs' | 'users'> & {
  readonly longestCallMs: number;
};

/**
 * Runs scenarios as `check` does, but limits how many runs are in progress at the same time. Scenarios that change something first wait for
 * the lock of the test users. During this wait, they don't count as a run in progress.
 * @throws FileTrouble if the undo journal, the lock or other state can't be stored
 */
export async function playModule(run: ProbeRun, { last, enter, say }: Shared): Promise<void> {
  const { signal } = run;
  const { environment, scenarios, limitMs } = run.asked;
  const longestCallMs = stopsOf(limitMs).stopMs * LONGEST_CALL;
  const sending = { signal, say };
  const play = async (users?: UsersRun) => {
    const leave = await enter(signal);
    await playDue(run, last, { ...sending, users, longestCallMs, silentCleanUpMs: longestCallMs / 2 }).finally(leave);
  };
  const changing = scenarios.filter(({ effect }) => effect !== 'read');
  if (changing.length === 0) return play();
  const areas = areasOf(changing);
  return withUsers(
    environment,
    { ...sending, reach: last.reachOf(environment), areas, longestCallMs: longestCallMs / 2 },
    play,
  );
}

/**
 * Runs the scenarios that are due. A scenario that uses up data isn't due at every probe. In between, the probe reports its last result
 * again.
 */
async function playDue(run: ProbeRun, last: LastResults, sending: Sending): Promise<void> {
  const { environment, scenarios } = run.asked;
  const isAlone = !isDivisible(environment);
  const runId = randomUUID();
  run.begin();
  const due: NamedScenario[] = [];
  for (const each of scenarios) {
    const standing = last.standingFor(each, environment, Date.now());
    if (standing) run.add(standing);
    else due.push(each);
  }
  if (due.length === 0) return;
  try {
    if (isAlone) assertJournalsWhole(environment);
    const seed = `${runSeed()} ${runId}`;
    const finished = (result: ScenarioResult) => {
      run.add(result);
      const named = due.find(({ scenario }) => scenario.title === result.title);
      if (named) last.add(named, environment, result);
    };
    const played = due.map(({ scenario }) => scenario);
    // Reports a failure before clean-up begins. So a probe whose time ends during clean-up also shows the failure.
    const events: RunEvents = {
      broken: (_, result) => run.add(result),
      finished: (_, result) => finished(result),
    };
    // Runs with the same users run one after the other. If an address kept a run waiting, the next run waits for it only briefly.
    // Otherwise, later runs would have no time left.
    const reach = isAlone ? last.reachOf(environment).next() : undefined;
    await runAll(played, { ...sending, environment, seed, runId, reach, events });
  } finally {
    forgetRun(runId);
  }
}

interface Last {
  readonly result: ScenarioResult;
  /** True if probes report this result until the end of the scenario's interval, without running the scenario again. */
  readonly stands: boolean;
}

/** A scenario may run again in this last part of its interval, because a scraper with the same interval is sometimes early. */
const EARLY = 0.1;

/**
 * The last results of scenarios that use up data. Such a scenario must not run at every probe, so probes report its last result until the
 * end of its interval.
 * There are two exceptions. After its first failure, a scenario runs again at the next probe, so that a single failure doesn't last for a
 * whole interval. A scenario also runs at the next probe if it could not be judged, or had no connection and so used up nothing.
 */
export class LastResults {
  /**
   * The results by environment and title. If an environment's files change, there is a new `Environment` object, so every scenario runs
   * again.
   */
  readonly #last = new WeakMap<Environment, Map<string, Last>>();
  readonly #reach = new WeakMap<Environment, Reachability>();

  reachOf(environment: Environment): Reachability {
    const reach = this.#reach.get(environment) ?? Reachability.ofProcess(environment);
    this.#reach.set(environment, reach);
    return reach;
  }

  /**
   * Returns the last result, with a warning about its age, if a probe at `now` (in ms since the epoch) must still report it; `undefined` if
   * the scenario must run.
   */
  standingFor({ scenario, effect }: NamedScenario, environment: Environment, now: number): ScenarioResult | undefined {
    const last = this.#last.get(environment)?.get(scenario.title);
    const intervalMs = shortestIntervalMs(scenario.details.tag, effect, environment);
    if (!last?.stands || Math.abs(now - last.result.startedAt) >= intervalMs * (1 - EARLY)) return undefined;
    const at = new Date(last.result.startedAt).toISOString();
    const why = `the result of ${at}: the scenario uses up data, so it runs every ${Math.round(intervalMs / 1_000)} s at most`;
    return { ...last.result, warnings: [...(last.result.warnings ?? []), why] };
  }

  add({ scenario, effect }: NamedScenario, environment: Environment, result: ScenarioResult): void {
    if (shortestIntervalMs(scenario.details.tag, effect, environment) === 0) return;
    const all = this.#last.get(environment) ?? new Map<string, Last>();
    this.#last.set(environment, all);
    const { title } = scenario;
    const health = healthOf(result);
    const before = all.get(title);
    const isConfirmed = health !== 'down' || (before !== undefined && healthOf(before.result) === 'down');
    all.set(title, { result, stands: health !== 'unknown' && isConfirmed && !hostFailureOf(result) });
  }
}
