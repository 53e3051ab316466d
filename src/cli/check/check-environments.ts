import { randomUUID } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { parsedJson, redact, verdicts } from '../../client/index.ts';
import { FileTrouble, fileRoles, readTextIfAny, remove, replaceText } from '../../config/files/index.ts';
import {
  attempt,
  credentialCure,
  credentialEnds,
  credentialEndText,
  type Environment,
  endingCredentials,
} from '../../config/index.ts';
import { loadQuarantine, type Quarantined } from '../../engine/run/index.ts';
import {
  causesOfResults,
  NoTimeLeft,
  runAll,
  type Scenario,
  type ScenarioResult,
  STOPPED,
  stopsOf,
} from '../../runner/index.ts';
import {
  findingsOf,
  noLongerJudged,
  reportLeft,
  stateFolder,
  takeRunLock,
  undoAndReportLeftovers,
  undoQuietly,
} from '../../scenario/index.ts';
import { warn } from '../output/terminal.ts';
import { withService } from '../serving/embedded-service.ts';
import type { CheckConsole } from './console.ts';
import type { Checked } from './outputs.ts';

/** With more at once, the work of this process would count as slowness of the services. */
const ENVIRONMENTS_AT_ONCE = 10;

export interface CheckRun {
  readonly chosen: readonly Scenario[];
  readonly known: ReadonlySet<string>;
  readonly seed: string;
  readonly limit: TimeLimit;
  readonly told?: CheckConsole | undefined;
}

/**
 * Checks environments side by side, which share only the process; the results are in their order. What keeps one from being checked
 * stops the others, and is thrown once they have cleaned up.
 */
export async function checkEnvironments(environments: readonly Environment[], run: CheckRun): Promise<Checked[]> {
  const waits = ({ name }: Environment) => Number(unreachedOf(name).length > 0);
  const quarantine = loadQuarantine();
  const inTurn = environments.toSorted((a, b) => waits(b) - waits(a));
  const problems: unknown[] = [];
  const broken = new AbortController();
  const limit = { ...run.limit, stop: AbortSignal.any([run.limit.stop, broken.signal]) };
  const check = async (each: Environment): Promise<Checked[]> => {
    try {
      return [await checkOne(each, { ...run, limit }, quarantine)];
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

/** Facts of a survey are checked if there is one. */
export function playedIn({ facts }: Environment, chosen: readonly Scenario[]): readonly Scenario[] {
  return facts ? chosen : chosen.filter(({ file }) => basename(dirname(file)) !== 'facts');
}

async function checkOne(
  environment: Environment,
  { chosen, known, seed, limit, told }: CheckRun,
  quarantine: readonly Quarantined[],
): Promise<Checked> {
  const { name } = environment;
  const played = playedIn(environment, chosen);
  const first = unreachedOf(name).filter((title) => known.has(title));
  const runId = randomUUID();
  const startedAt = Date.now();
  const onResult = (result: ScenarioResult) => told?.ended(name, result);
  const onStart = (title: string, area: ScenarioResult['area']) => told?.started(name, title, area);
  const { stop, end } = limit;
  const options = { seed, runId, signal: stop, first, quarantine, onStart, onResult };
  const run = async () => {
    const release = await takeRunLock(environment, { signal: stop, say: warn });
    return withService(environment, async (at) => {
      await undoAndReportLeftovers(at, stop);
      const results = await runAll(played, { ...options, environment: at, ...(end ? { cleanUpSignal: end } : {}) });
      await tolerant(() => (stop.aborted ? reportLeft(at) : undoQuietly(at, { signal: stop })));
      return results;
    }).finally(release);
  };
  const results = await run().catch((error: unknown) => {
    // Stopped, or out of time, while it waited for another run: nothing more is sent.
    if (!stop.aborted || (error as Error).name !== 'AbortError') throw error;
    return runAll(played, { ...options, environment });
  });
  const keep = () => keepUnreached(name, unreachedAfter(first, results));
  await tolerant(keep, `${name}: the next check begins as usual. `);
  const { contract } = environment;
  const ending = endingCredentials(environment, startedAt).map(
    (end) => `${name}: ${credentialEndText(end, startedAt)}; ${credentialCure(end)}`,
  );
  return {
    environment: name,
    startedAt,
    endedAt: Date.now(),
    results,
    causes: causesOfResults(name, results),
    findings: findingsOf(runId, name),
    credentials: credentialEnds(environment),
    remarks: [...noLongerJudged(name, judgementsIn(results), Date.now()), ...ending],
    ...(contract ? { contract } : {}),
  };
}

/** What a check had no time for, or did not come to before Ctrl-C, is no more missed than what nobody chose. */
export function judgementsIn(results: readonly Pick<ScenarioResult, 'title' | 'verdict' | 'reason' | 'unreached'>[]) {
  return results
    .filter(({ unreached, reason }) => !unreached && reason !== STOPPED)
    .map(({ title, verdict, reason }) => {
      const { health } = verdicts[verdict];
      return { title, reason, isJudged: health !== 'unknown', isFailure: health === 'down' };
    });
}

/** No trouble with a file at the end may take the results away. */
async function tolerant(work: () => void | Promise<void>, consequence = ''): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof FileTrouble)) throw error;
    warn(`${consequence}${error.message}`);
  }
}

/**
 * The titles that the next check begins with, after one whose results are `results` and which began with `before`. What has
 * waited longest comes first; what was cut short comes last, so that it can't keep the others waiting again and again.
 */
export function unreachedAfter(
  before: readonly string[],
  results: readonly Pick<ScenarioResult, 'title' | 'unreached'>[],
): string[] {
  const titled = (how: ScenarioResult['unreached']) =>
    results.filter(({ unreached }) => unreached === how).map(({ title }) => title);
  const waiting = titled('not started');
  const cut = titled('cut short');
  const ran = new Set(results.map(({ title }) => title));
  const stillWaiting = before.filter((title) => waiting.includes(title) || !ran.has(title));
  return [...stillWaiting, ...waiting.filter((title) => !stillWaiting.includes(title)), ...cut];
}

/** The titles that an earlier check of an environment had no time for. */
function unreachedOf(environment: string): readonly string[] {
  // It only decides the order, so what can't be read is none.
  const text = attempt(() => readTextIfAny(fileOf(environment), fileRoles.state));
  const found = typeof text === 'string' ? parsedJson(text) : [];
  return Array.isArray(found) ? found.filter((each) => typeof each === 'string') : [];
}

/** @throws FileTrouble */
function keepUnreached(environment: string, titles: readonly string[]): void {
  const file = fileOf(environment);
  if (titles.length === 0) remove(file, fileRoles.state);
  else replaceText(file, redact(`${JSON.stringify(titles, null, 2)}\n`), fileRoles.state);
}

function fileOf(environment: string): string {
  return join(stateFolder(), 'unreached', `${environment}.json`);
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
