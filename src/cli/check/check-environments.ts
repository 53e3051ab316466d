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
import { assertJournalsWhole, leftoversOf, Reachability, type UsersRunOptions, withUsers } from '../../safety/index.ts';
import { askedFacts, factLogs, itemLines, readTags } from '../../scenario/index.ts';
import { silent } from '../../verdict/index.ts';
import { warn } from '../output/terminal.ts';
import { withService } from '../serving/embedded-service.ts';
import type { CheckConsole } from './console.ts';
import type { Checked } from './outputs.ts';

/** With more at once, the work of this process would count as slowness of the services. */
const ENVIRONMENTS_AT_ONCE = 10;

export interface CheckRun {
  readonly chosen: readonly Scenario[];
  readonly seed: string;
  readonly limit: TimeLimit;
  readonly quarantine: readonly Quarantined[];
  readonly told?: CheckConsole | undefined;
}

/**
 * Checks environments side by side, which share only the process; the results are in their order. What keeps one from being checked
 * stops the others, and is thrown once they have cleaned up.
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

/** Facts are held where there are any. */
export function playedIn({ facts }: Environment, chosen: readonly Scenario[]): readonly Scenario[] {
  return facts ? chosen : chosen.filter((scenario) => !holdsFacts(scenario));
}

async function checkOne(
  environment: Environment,
  { chosen, seed, limit, quarantine, told }: CheckRun,
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
    started: (scenario) => told?.started(scenario),
    finished: (environment, result) => told?.finished(environment, result),
  };
  const observer = { ...silent, exchanged: counted };
  const titles = played.map(({ title }) => title);
  const first = end ? rotated(titles, startedAt) : [];
  const options = { seed, runId, signal: stop, first, quarantine, events };
  const run = () =>
    withService(environment, (at) => {
      const reach = new Reachability(at);
      return asOneRun(at, played, { signal: stop, observer, reach }, () =>
        runAll(played, { ...options, environment: at, reach, ...(end ? { cleanUpSignal: end } : {}) }),
      );
    });
  // Once it is stopped, or out of time, it sends nothing more.
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

/** Has the users for the whole run, where a scenario changes something, or an earlier run left something to undo. */
async function asOneRun<T>(
  environment: Environment,
  played: readonly Scenario[],
  options: Pick<UsersRunOptions, 'signal' | 'observer' | 'reach'>,
  work: () => Promise<T>,
): Promise<T> {
  const isChanging = played.some(({ title, details }) => readTags(title, details.tag).effect !== 'read');
  if (!isChanging && leftoversOf(environment).length === 0) {
    assertJournalsWhole(environment);
    return work();
  }
  return withUsers(environment, { ...options, say: warn, isReported: true }, work);
}

/** Each minute begins with another one: what a check has no time for, a later one of a cron job reaches. */
export function rotated<T>(all: readonly T[], now: number): readonly T[] {
  const start = Math.floor(now / 60_000) % Math.max(1, all.length);
  return [...all.slice(start), ...all.slice(0, start)];
}

/** The signals of a check with a deadline. */
export interface TimeLimit {
  /** Aborted with `NoTimeLeft` when scenarios must stop, or by the user. */
  readonly stop: AbortSignal;
  /** Aborted when clean-up must stop too; absent without a deadline. */
  readonly end?: AbortSignal;
}

/** The limit of a check that began `elapsedMs` ago; `interrupted` is the user's stop. */
export function timeLimit(deadlineMs: number | undefined, elapsedMs: number, interrupted: AbortSignal): TimeLimit {
  if (deadlineMs === undefined) return { stop: interrupted };
  const { stopMs, endMs } = stopsOf(deadlineMs);
  return { stop: AbortSignal.any([interrupted, expiry(stopMs - elapsedMs)]), end: expiry(endMs - elapsedMs) };
}

/** Aborts in `ms`; a check that ends before isn't kept alive. */
function expiry(ms: number): AbortSignal {
  const controller = new AbortController();
  setTimeout(() => controller.abort(new NoTimeLeft()), Math.max(0, ms)).unref();
  return controller.signal;
}
