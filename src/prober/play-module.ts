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
 * A call may take this part of the scenarios' time, and a call that undoes what another run left behind may take half of it. With longer
 * calls the time would be up before the scenarios could find a silent service unreachable.
 */
const LONGEST_CALL = 0.4;

/** The state that all runs of a prober share. */
interface Shared {
  readonly last: LastResults;
  /** Waits for a place; resolves with a function that frees the place. */
  readonly enter: (signal: AbortSignal) => Promise<() => void>;
  readonly say: (line: string) => void;
}

type Sending = Pick<RunAllOptions, 'signal' | 'say' | 'silentCleanUpMs' | 'users'> & {
  readonly longestCallMs: number;
};

/**
 * Plays scenarios as `check` does, once there is a place. Scenarios that change something first wait for the shared users, without a place.
 * @throws FileTrouble if state can't be kept
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

/** Plays the scenarios whose last result no longer counts, and reports the last result of all other scenarios. */
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
    // Runs that share users follow each other. If each waited for the same silent address again, the time of the later runs would be up.
    const reach = isAlone ? last.reachOf(environment).next() : undefined;
    await runAll(played, { ...sending, environment, seed, runId, reach, events });
  } finally {
    forgetRun(runId);
  }
}

interface Last {
  readonly result: ScenarioResult;
  /** Whether the result counts, so that the scenario doesn't run again. */
  readonly stands: boolean;
}

/** Last part of an interval in which a probe runs nevertheless, because a scraper with the same interval is sometimes early. */
const EARLY = 0.1;

/**
 * The last results of scenarios that must not run at every probe, because they use up data. A scenario that failed runs once more at the next
 * probe, so that a single failure doesn't last for the whole interval. A scenario runs at every probe if it could not be judged, or had no
 * connection and so used up nothing.
 */
export class LastResults {
  /** By loaded environment. If its files change, it is loaded again, and everything runs again. */
  readonly #last = new WeakMap<Environment, Map<string, Last>>();
  readonly #reach = new WeakMap<Environment, Reachability>();

  reachOf(environment: Environment): Reachability {
    const reach = this.#reach.get(environment) ?? Reachability.ofProcess(environment);
    this.#reach.set(environment, reach);
    return reach;
  }

  /** The last result, with a warning, if it still counts at `now` (epoch, in ms); `undefined` if the scenario must run. */
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
