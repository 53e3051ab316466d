import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import {
  credentialCure,
  credentialEnds,
  credentialEndText,
  type Environment,
  endingCredentials,
} from '../../environment/index.ts';
import { type Exchange, isUnconnected, unlessStopped } from '../../http/index.ts';
import {
  causesOf,
  holdsFacts,
  NoTimeLeft,
  type Quarantined,
  type RunEvents,
  runAll,
  type Scenario,
  stopsOf,
  unprovenOperations,
  workingAreas,
} from '../../run/index.ts';
import {
  assertJournalsWhole,
  leftoversOf,
  Reachability,
  type UsersRun,
  type UsersRunOptions,
  withUsers,
} from '../../safety/index.ts';
import { askedFacts, factLogs, itemLines, readTags } from '../../scenario/index.ts';
import { silent } from '../../verdict/index.ts';
import { warn } from '../output/terminal.ts';
import { withService } from '../serving/embedded-service.ts';
import type { CheckConsole } from './console.ts';
import type { Checked } from './outputs.ts';

/**
 * Maximum number of environments that are checked at the same time. With more of them, this process would be so busy that the services seem
 * slow.
 */
const ENVIRONMENTS_AT_ONCE = 10;

export interface CheckRun {
  readonly chosen: readonly Scenario[];
  readonly seed: string;
  readonly limit: TimeLimit;
  readonly quarantine: readonly Quarantined[];
  readonly checkConsole?: CheckConsole | undefined;
}

/**
 * Checks environments at the same time, independently of each other. Returns the results in the order of `environments`. If one environment
 * can't be checked, stops the other checks, waits for their clean-up, and throws the error.
 */
export async function checkEnvironments(environments: readonly Environment[], run: CheckRun): Promise<Checked[]> {
  const inTurn = run.limit.end ? rotated(environments, Date.now()) : environments;
  const problems: unknown[] = [];
  const broken = new AbortController();
  const limit = { ...run.limit, stop: AbortSignal.any([run.limit.stop, broken.signal]) };
  const check = async (each: Environment): Promise<Checked[]> => {
    try {
      return [await checkOne(each, { ...run, limit })];
    } catch (error) {
      problems.push(error);
      broken.abort();
      return [];
    }
  };
  const checks = Readable.from(inTurn).flatMap(check, { concurrency: ENVIRONMENTS_AT_ONCE });
  const all: Checked[] = await checks.toArray();
  if (problems.length > 0) throw problems[0];
  return environments.flatMap(({ name }) => all.filter(({ environment }) => environment === name));
}

/** If the environment has no facts, leaves out the scenarios that check facts. A fact is what a survey found out about the service. */
export function playedIn({ facts }: Environment, chosen: readonly Scenario[]): readonly Scenario[] {
  return facts ? chosen : chosen.filter((scenario) => !holdsFacts(scenario));
}

async function checkOne(
  environment: Environment,
  { chosen, seed, limit, quarantine, checkConsole }: CheckRun,
): Promise<Checked> {
  const { name } = environment;
  const played = playedIn(environment, chosen);
  const runId = randomUUID();
  const startedAt = Date.now();
  const { stop, end } = limit;
  const traffic = { requests: 0, unconnected: 0 };
  const counted = (exchange: Exchange) => void traffic[isUnconnected(exchange) ? 'unconnected' : 'requests']++;
  const events: RunEvents = {
    exchanged: (_, exchange) => counted(exchange),
    started: (scenario) => checkConsole?.started(scenario),
    finished: (environment, result) => checkConsole?.finished(environment, result),
  };
  const observer = { ...silent, exchanged: counted };
  const titles = played.map(({ title }) => title);
  const first = end ? rotated(titles, startedAt) : [];
  const options = { seed, runId, signal: stop, first, quarantine, events };
  const run = () =>
    withService(environment, (at) => {
      const reach = new Reachability(at);
      return asOneRun(at, played, { signal: stop, observer, reach }, (users) =>
        runAll(played, { ...options, environment: at, reach, users, ...(end ? { cleanUpSignal: end } : {}) }),
      );
    });
  // If the user or the deadline stops the check while it waits, for example for the lock of another run, `run()` returns no results. The
  // second `runAll` then sends nothing: it only returns a result for each scenario, with the reason why the scenario did not run.
  const results = await unlessStopped(run(), stop, () => runAll(played, { ...options, environment }));
  const { contract } = environment;
  const ending = endingCredentials(environment, startedAt).map(
    (end) => `${name}: ${credentialEndText(end, startedAt)}; ${credentialCure(end)}`,
  );
  return {
    environment: name,
    startedAt,
    endedAt: Date.now(),
    results,
    traffic,
    causes: causesOf(
      results.map(({ accepted = [], ...each }) => {
        return { ...each, accepted, environment: name, working: workingAreas(each.exchanges) };
      }),
    ),
    unproven: unprovenOperations(results.map((each) => ({ ...each, environment: name }))),
    asked: askedFacts(runId, name),
    rate: factLogs(runId, name).rate.all()[0],
    credentials: credentialEnds(environment),
    remarks: [...ending, ...itemLines(environment, runId)],
    ...(contract ? { contract } : {}),
  };
}

/**
 * Runs `work` under the lock of the test users if a scenario changes something, or if an earlier run left something to undo; otherwise
 * without the lock.
 */
async function asOneRun<T>(
  environment: Environment,
  played: readonly Scenario[],
  options: Pick<UsersRunOptions, 'signal' | 'observer' | 'reach'>,
  work: (users?: UsersRun) => Promise<T>,
): Promise<T> {
  const isChanging = played.some(({ title, details }) => readTags(title, details.tag).effect !== 'read');
  if (!isChanging && leftoversOf(environment).length === 0) {
    assertJournalsWhole(environment);
    return work();
  }
  return withUsers(environment, { ...options, say: warn, isReported: true }, work);
}

/**
 * Rotates a list by one entry each minute, so that repeated checks (a cron job) also reach entries for which an earlier check had no time.
 */
export function rotated<T>(all: readonly T[], now: number): readonly T[] {
  const start = Math.floor(now / 60_000) % Math.max(1, all.length);
  return [...all.slice(start), ...all.slice(0, start)];
}

/** Signals that stop a check, because its deadline has passed or the user has stopped it. */
export interface TimeLimit {
  /** Aborted when scenarios must stop: because the time is up (`NoTimeLeft`), or because the user stops the check. */
  readonly stop: AbortSignal;
  /** Aborted when clean-up must stop too; absent without a deadline. */
  readonly end?: AbortSignal;
}

/** Creates the time limit of a check that began `elapsedMs` ago. `interrupted` is aborted when the user stops the check. */
export function timeLimit(deadlineMs: number | undefined, elapsedMs: number, interrupted: AbortSignal): TimeLimit {
  if (deadlineMs === undefined) return { stop: interrupted };
  const { stopMs, endMs } = stopsOf(deadlineMs);
  return { stop: AbortSignal.any([interrupted, expiry(stopMs - elapsedMs)]), end: expiry(endMs - elapsedMs) };
}

/** A signal that aborts after `ms`. Its timer doesn't keep the process alive if the check ends earlier. */
function expiry(ms: number): AbortSignal {
  const controller = new AbortController();
  setTimeout(() => controller.abort(new NoTimeLeft()), Math.max(0, ms)).unref();
  return controller.signal;
}
