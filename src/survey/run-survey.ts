import { factKey, type ObservedOperation, SuiteFault, silent } from '../client/index.ts';
import type { Environment } from '../config/index.ts';
import { Skipped, scenarioSeed, World } from '../scenario/index.ts';
import { type CallableId, callable, headers, headersOf, operation, operationIds } from '../spec/index.ts';
import { type ExperimentRunner, experimentRunner } from './asking/experiment-runner.ts';
import { type OperationEntry, questionOf } from './asking/question.ts';
import { budgetOf, NoResponse, SurveyEnded } from './asking/request-budget.ts';
import { type Experiment, experiments } from './experiments/index.ts';
import {
  evidenceOf,
  type Fact,
  type Survey,
  Undecided,
  undecided,
  withoutEmptyAcceptance,
  withoutLateRefusals,
} from './facts/fact.ts';
import { doubtOf, type Preflight } from './preflight.ts';
import type { ProgressFile, SurveyProgressState } from './progress-file.ts';

export interface SurveyOptions {
  readonly environment: Environment;
  readonly seed: string;
  readonly runId: string;
  readonly rate?: number;
  readonly maxRequests: number;
  readonly signal?: AbortSignal;
  readonly only?: (question: string, operation: CallableId) => boolean;
  readonly file: ProgressFile;
  /** The results of the scenarios: their responses are samples too, and failures leave questions undecided. */
  readonly preflight?: Pick<Preflight, 'failed' | 'exchanges'>;
  readonly onProgress?: (done: number, total: number, fact: Fact) => void;
}

export interface SurveyRun {
  readonly survey: Survey;
  readonly observed: readonly ObservedOperation[];
  readonly ended?: SurveyEnded;
  readonly left: readonly string[];
}

/** How long facts may be in memory only: to write all of them takes as long as some requests. */
const KEEP_EVERY_MS = 5_000;

/** Asks every open question, and stores results as it goes. Throws only for bugs. */
export async function runSurvey(options: SurveyOptions): Promise<SurveyRun> {
  const { environment, file, rate, maxRequests, signal, preflight } = options;
  const start = Date.now();
  const progress = file.read(start);
  const world = new World({
    environment,
    observer: silent,
    seed: scenarioSeed(options.seed, environment.name, 'survey', progress.facts.length),
    runId: options.runId,
  });
  const budget = budgetOf({ maxRequests, ...(rate ? { rate } : {}), ...(signal ? { signal } : {}) });
  const earlier = preflight?.exchanges ?? [];
  for (const exchange of earlier) progress.samples.add(exchange, environment.successWhen);
  const before = progress.requests;
  const left: string[] = [];
  let ended: SurveyEnded | undefined;
  try {
    const { samples } = progress;
    await world.begin({ area: 'all', effect: 'overwriting' }, ['asFriend']);
    const runner = experimentRunner({ world, session: await world.session(), budget, samples, earlier });
    try {
      await askAll(runner, progress, options);
    } finally {
      left.push(...(await runner.end()));
    }
  } catch (error) {
    if (error instanceof SurveyEnded) ended = error;
    else if (error instanceof Undecided) ended = new SurveyEnded('unreachable', error.message);
    else throw error;
  } finally {
    progress.requests = before + budget.spent.requests;
    file.write(progress);
    // What was there before is there again.
    const errors = await world.close({ verify: false });
    left.push(
      ...errors.map(({ error }) => (error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error))),
    );
  }
  const { facts, samples, startedAt, requests } = progress;
  // Of an operation whose responses are known to be wrong nothing is learned.
  const isDoubted = (id: string) =>
    doubtOf(preflight?.failed ?? [], { operation: id as CallableId, question: 'answer-shape' }) !== undefined;
  const observed = samples.observed().filter(({ operation: id }) => !isDoubted(id));
  const durationMs = Date.now() - Date.parse(startedAt);
  const survey = { environment: environment.name, startedAt, durationMs, requests, facts };
  return { survey, observed, left, ...(ended ? { ended } : {}) };
}

async function askAll(runner: ExperimentRunner, progress: SurveyProgressState, options: SurveyOptions) {
  const { environment, file, only = () => true, onProgress, preflight } = options;
  const tasks = plan(environment).filter(({ entry, question }) => only(question, entry.id));
  const answered = new Set(progress.facts.map(({ operation, question }) => factKey(operation, question)));
  const open: Task[] = [];
  // An unfinished survey doesn't store them: failures may be fixed when it resumes.
  const doubted: Fact[] = [];
  for (const task of tasks) {
    const { entry, question } = task;
    if (answered.has(factKey(entry.id, question))) continue;
    const doubt = doubtOf(preflight?.failed ?? [], { operation: entry.id, question });
    if (doubt) doubted.push(undecided(entry.id, question, doubt));
    else open.push(task);
  }
  let keptAt = performance.now();
  let done = answered.size + doubted.length;
  // Without a response, the service may be going down; such facts count once it has responded again.
  const shaky: Fact[] = [];
  for (const [id, ofOperation] of Map.groupBy(open, ({ entry }) => entry.id)) {
    for (const task of ofOperation) {
      const { fact, isShaky } = await ask(runner, task);
      (isShaky ? shaky : progress.facts).push(fact);
      if (runner.budget.isAnswering()) progress.facts.push(...shaky.splice(0));
      onProgress?.(++done, tasks.length, fact);
      await runner.tidy();
      if (performance.now() - keptAt > KEEP_EVERY_MS) {
        file.write(progress);
        keptAt = performance.now();
      }
    }
    const { own = [], others = [] } = Object.groupBy(progress.facts, ({ operation }) =>
      operation === id ? 'own' : 'others',
    );
    progress.facts.splice(0, Infinity, ...others, ...(await thoughtOver(runner, ofOperation, own)));
    progress.thoughtOver = progress.facts.length;
    await runner.tidy();
  }
  progress.facts.push(...shaky, ...doubted);
}

/** The facts of one operation, revised by whether valid requests are still accepted. */
async function thoughtOver(runner: ExperimentRunner, [task]: readonly Task[], facts: readonly Fact[]): Promise<Fact[]> {
  const calm = withoutEmptyAcceptance(facts);
  let why: string | undefined;
  for (const id of task ? witnesses(runner, task.entry) : []) {
    try {
      await runner.control(id);
      return calm;
    } catch (error) {
      if (error instanceof NoResponse) return calm;
      if (!isNotAsked(error)) throw error;
      why ??= id === task?.entry.id ? error.message : `${id}: ${error.message}`;
    }
  }
  return why === undefined ? calm : withoutLateRefusals(calm, why);
}

/**
 * Whose valid request shows that refusals still have the reason that was meant: the operation's own. Where that would have a lasting
 * effect, or never was accepted, a read with the same credential, which may have expired.
 */
function witnesses({ controls, isDisposable }: ExperimentRunner, { id, area, effect }: OperationEntry): CallableId[] {
  if (controls.has(id) && (effect !== 'irreversible' || isDisposable)) return [id];
  const credentialOf = (each: CallableId) => headersOf(each).find((name) => headers[name].kind === 'credential');
  const isNear = (each: CallableId) => callable(each).area === area;
  return operationIds
    .filter((each) => callable(each).effect === 'read' && credentialOf(each) === credentialOf(id))
    .sort((a, b) => Number(isNear(b)) - Number(isNear(a)));
}

/** A question that can't be asked here, or whose answer is unclear. */
function isNotAsked(error: unknown): error is Undecided | Skipped | SuiteFault {
  return error instanceof Undecided || error instanceof Skipped || error instanceof SuiteFault;
}

/**
 * Runs one experiment. A question that can't be asked here (not allowed, no data) is undecided, with the reason. `isShaky`: there
 * was no response, perhaps because the service is going down.
 * @throws SurveyEnded
 */
async function ask(runner: ExperimentRunner, { entry, question, experiment }: Task) {
  const observedAt = new Date().toISOString();
  try {
    const { answer, seen, samples = seen.length } = await experiment.run(questionOf(runner, entry, question));
    const evidence = evidenceOf(seen);
    return { fact: { operation: entry.id, question, observedAt, answer, samples, evidence }, isShaky: false };
  } catch (error) {
    if (!isNotAsked(error)) throw error;
    const seen = error instanceof Undecided ? error.seen : [];
    return { fact: undecided(entry.id, question, error.message, seen), isShaky: error instanceof NoResponse };
  }
}

interface Task {
  readonly entry: OperationEntry;
  readonly question: string;
  readonly experiment: Experiment;
}

function plan(environment: Environment): Task[] {
  const rows: OperationEntry[] = operationIds.map((id) => ({ ...operation(id), id }));
  if (environment.readProfile) rows.push({ ...environment.readProfile, id: environment.readProfile.id as CallableId });
  return rows.flatMap((entry) =>
    experiments.flatMap((experiment) =>
      experiment.questions(entry).map((question) => ({ entry, question, experiment })),
    ),
  );
}

export function questionsOf(environment: Environment): { readonly question: string; readonly operation: CallableId }[] {
  return plan(environment).map(({ question, entry }) => ({ question, operation: entry.id }));
}
