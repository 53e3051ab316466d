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
 * Maximum duration of a call, as a part of the scenarios' time. For calls that undo a change it is half of this. If calls were allowed to
 * take longer, the time would be up before the scenarios could find that a silent service is unreachable.
 */
const LONGEST_CALL = 0.4;

/** The state that all runs of a prober share. */
interface Shared {
  readonly last: LastResults;
  /** Waits for a place below the limit of concurrent runs; resolves with a function that frees the place. */
  readonly enter: (signal: AbortSignal) => Promise<() => void>;
  readonly say: (line: string) => void;
}

type Sending = Pick<RunAllOptions, 'signal' | 'say' | 'silentCleanUpMs' | 'users'> & {
  readonly longestCallMs: number;
};

/**
 * Runs scenarios as `check` does, within the limit of concurrent runs. Scenarios that change something first wait for the lock of the test
 * users, and take no place among the concurrent runs while they wait.
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

/** Runs the scenarios that are due. A scenario that uses up data isn't due at every probe; then its last result is reported again. */
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
    // Reports a failure before clean-up begins, so that a probe whose time ends during clean-up shows it.
    const events: RunEvents = {
      broken: (_, result) => run.add(result),
      finished: (_, result) => finished(result),
    };
    // Runs with the same users wait for each other, so they share what they find out about silent addresses. Otherwise, each run would wait
    // for the same address again, and the later runs would have no time left.
    const reach = isAlone ? last.reachOf(environment).next() : undefined;
    await runAll(played, { ...sending, environment, seed, runId, reach, events });
  } finally {
    forgetRun(runId);
  }
}

interface Last {
  readonly result: ScenarioResult;
  /** Whether the result counts until the end of its interval, so that the scenario doesn't run at every probe. */
  readonly stands: boolean;
}

/** A scenario may run again in this last part of its interval, because a scraper with the same interval is sometimes early. */
const EARLY = 0.1;

/**
 * The last results of scenarios that must not run at every probe, because they use up data. A scenario that failed runs once more at the
 * next probe, so that a single failure doesn't last for a whole interval. If a scenario could not be judged, or had no connection and so
 * used up nothing, it runs at every probe.
 */
export class LastResults {
  /** The results by environment and title. A change of an environment's files creates a new object, for which every scenario runs again. */
  readonly #last = new WeakMap<Environment, Map<string, Last>>();
  readonly #reach = new WeakMap<Environment, Reachability>();

  reachOf(environment: Environment): Reachability {
    const reach = this.#reach.get(environment) ?? Reachability.ofProcess(environment);
    this.#reach.set(environment, reach);
    return reach;
  }

  /**
   * Returns the last result, with a warning about its age, if it still counts at `now` (epoch, in ms); `undefined` if the scenario must
   * run.
   */
  standingFor({ scenario, effect }: NamedScenario, environment: Environment, now: number): ScenarioResult | undefined {
    const last = this.#last.get(environment)?.get(scenario.title);
    const intervalMs = shortestIntervalMs(scenario.details.tag, effect, environment);
    if (!last?.stands || Math.abs(now - last.result.startedAt) >= intervalMs * (1 - EARLY)) return undefined;
    const at = new Date(last.result.startedAt).toISOString();
    const why = `the result of ${at}: it runs every ${Math.round(intervalMs / 1_000)} s at most, to spare data`;
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
