import { type Environment, today } from '../environment/index.ts';
import { entryIn, NotAccepted, type OperationEntry, type Question, questions, Undecided } from '../questions/index.ts';
import {
  askerOf,
  ExperimentRunner,
  NoResponse,
  namingOf,
  RequestBudget,
  Skipped,
  SurveyEnded,
  scenarioSeed,
  World,
} from '../scenario/index.ts';
import { type CallableId, callable, callableIds, headers, headersOf, operationIds } from '../service/index.ts';
import { NotTried, type ObservedOperation, type RateLimits, SuiteError, SuiteFault, silent } from '../verdict/index.ts';
import {
  evidenceOf,
  type Finding,
  isOfRefusal,
  leavesNothing,
  undecided,
  withoutEmptyAcceptance,
  withoutLateRefusals,
} from './findings.ts';
import { samplesFrom } from './inference/samples.ts';
import { doubtOf, type Preflight } from './preflight.ts';

export interface SurveyOptions {
  readonly environment: Environment;
  readonly seed: string;
  readonly runId: string;
  readonly maxRequests: number;
  readonly signal?: AbortSignal;
  readonly only?: (question: string, operation: CallableId) => boolean;
  /** The results of the scenarios before the survey. Their responses are samples, too, and questions about failed operations stay open. */
  readonly preflight?: Pick<Preflight, 'failed' | 'exchanges'>;
  readonly onProgress?: (done: number, total: number, finding: Finding) => void;
}

export interface SurveyRun {
  readonly findings: readonly Finding[];
  readonly observed: readonly ObservedOperation[];
  readonly requests: number;
  readonly ended?: SurveyEnded;
  readonly left: readonly string[];
}

/** The environment as a survey uses it: without the team's OpenAPI document, and limited to `rate` requests per second. */
export function surveyedAt({ contract: _, ...environment }: Environment, rate = Number.POSITIVE_INFINITY): Environment {
  const { maxRequestsPerSecond = rate, ...limits }: RateLimits = environment.rateLimits ?? { retryAfterLimitMs: 0 };
  const paced = { ...limits, maxRequestsPerSecond: Math.min(rate, maxRequestsPerSecond) };
  return { ...environment, rateLimits: { ...paced, waitsUnasked: true } };
}

/**
 * Asks every question. Questions without a fact come first. So if the last survey ended early, this survey begins with the questions that
 * are left. Throws only because of bugs.
 */
export async function runSurvey(options: SurveyOptions): Promise<SurveyRun> {
  const { environment, maxRequests, signal, preflight } = options;
  const world = new World({
    environment,
    observer: silent,
    seed: scenarioSeed(options.seed, environment.name, 'survey'),
    runId: options.runId,
  });
  const budget = new RequestBudget({ maxRequests, signal });
  const earlier = preflight?.exchanges ?? [];
  const samples = samplesFrom();
  for (const exchange of earlier) samples.add(exchange, environment.successWhen);
  const left = new Set<string>();
  const findings: Finding[] = [];
  let ended: SurveyEnded | undefined;
  try {
    await world.begin({ area: 'all', effect: 'overwriting', actsAs: 'friend' });
    const runner = new ExperimentRunner({ world, session: await world.session(), budget, samples, earlier });
    try {
      await askAll(runner, findings, options);
    } finally {
      await runner.tidy();
    }
  } catch (error) {
    if (error instanceof SurveyEnded) ended = error;
    else if (error instanceof Undecided) ended = new SurveyEnded('unreachable', error.message);
    // The survey could not begin, for example because it could not read the state of the service.
    else if (error instanceof SuiteError) ended = new SurveyEnded('prevented', whyPrevented(error));
    else throw error;
  } finally {
    // Restores the state in which the survey found the service.
    const errors = await world.close({ verify: 'nothing' });
    for (const { error } of errors) left.add(error instanceof SuiteError ? error.failure.reason : String(error));
  }
  // If a scenario has shown that an operation's responses are wrong, no schema is inferred from them.
  const isDoubted = (id: string) =>
    doubtOf(preflight?.failed ?? [], { operation: id as CallableId, question: 'answer-shape' }) !== undefined;
  const observed = samples.observed().filter(({ operation: id }) => !isDoubted(id));
  return { findings, observed, requests: budget.spent, left: [...left], ...(ended ? { ended } : {}) };
}

function whyPrevented(error: SuiteError): string {
  return error instanceof NotTried ? error.failure.reason : (error.message.split('\n')[0] ?? '');
}

/** Asks the questions, and adds the results to `findings`. If this throws, `findings` contains the results that are certain so far. */
async function askAll(runner: ExperimentRunner, findings: Finding[], options: SurveyOptions): Promise<void> {
  const { environment, only = () => true, onProgress, preflight } = options;
  const tasks = plan(environment).filter(({ entry, name }) => only(name, entry.id));
  const open: Task[] = [];
  const doubted: Finding[] = [];
  for (const task of tasks) {
    const doubt = doubtOf(preflight?.failed ?? [], { operation: task.entry.id, question: task.name });
    if (doubt) doubted.push(undecided(asking(task), doubt));
    else open.push(task);
  }
  let done = doubted.length;
  // Findings of questions that got no response. They are kept apart until a later request gets a response. Until then, the service may be
  // going down, and a survey that ends early must not keep these findings.
  const shaky: Finding[] = [];
  const isKnown = ({ entry, name }: Task) => environment.facts?.of(name, entry.id) !== undefined;
  const inTurn = [...open.filter((task) => !isKnown(task)), ...open.filter(isKnown)];
  for (const ofOperation of Map.groupBy(inTurn, (task) => `${task.entry.id} ${isKnown(task)}`).values()) {
    const ownFindings: Finding[] = [];
    try {
      for (const task of ofOperation) {
        const { finding, isShaky } = await ask(runner, task);
        (isShaky ? shaky : ownFindings).push(finding);
        if (runner.budget.isAnswering) ownFindings.push(...shaky.splice(0));
        onProgress?.(++done, tasks.length, finding);
        if (!leavesNothing(finding.answer)) await runner.tidy();
      }
      findings.push(...(await thoughtOver(runner, ofOperation, ownFindings)));
    } catch (error) {
      // Leaves out findings about refusals: the credential may have expired, and nothing shows that valid requests were still accepted.
      findings.push(...ownFindings.filter((finding) => !isOfRefusal(finding)));
      throw error;
    }
    await runner.tidy();
  }
  findings.push(...shaky, ...doubted);
}

/** Revises the findings about one operation, after checking whether the service still accepts valid requests. */
async function thoughtOver(
  runner: ExperimentRunner,
  [task]: readonly Task[],
  findings: readonly Finding[],
): Promise<Finding[]> {
  const calm = withoutEmptyAcceptance(findings);
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
 * The operations whose valid requests can show that the service refused the earlier requests for the intended reason. Usually this is the
 * operation itself. If its request would have a lasting effect, or was never accepted, reads with the same credential are used, which show
 * at least whether the credential has expired.
 */
function witnesses({ controls, isDisposable }: ExperimentRunner, { id, area, effect }: OperationEntry): CallableId[] {
  if (controls.has(id) && (effect !== 'irreversible' || isDisposable)) return [id];
  const credentialOf = (each: CallableId) => headersOf(each).find((name) => headers[name].kind === 'credential');
  const isNear = (each: CallableId) => callable(each).area === area;
  return operationIds
    .filter((each) => callable(each).effect === 'read' && credentialOf(each) === credentialOf(id))
    .sort((a, b) => Number(isNear(b)) - Number(isNear(a)));
}

/** Whether an error means that a question can't be asked, or that its answer is unclear. */
function isNotAsked(error: unknown): error is Undecided | Skipped | SuiteFault {
  return error instanceof Undecided || error instanceof Skipped || error instanceof SuiteFault;
}

/**
 * Asks one question. If that isn't possible (not allowed, no data), the finding has the reason instead of an answer. `isShaky` is true if
 * there was no response, perhaps because the service is going down.
 * @throws SurveyEnded if the survey can't continue
 */
async function ask(runner: ExperimentRunner, task: Task): Promise<{ finding: Finding; isShaky: boolean }> {
  const { entry, name, question } = task;
  try {
    const { answer, ...seen } = await question.ask(askerOf(runner, entry, name));
    return { finding: { ...asking(task), answer, evidence: evidenceOf(question, seen) }, isShaky: false };
  } catch (error) {
    if (!isNotAsked(error)) throw error;
    const { key, isGiven } = namingOf(runner.world.environment, entry.id);
    const needs = error instanceof NotAccepted && !isGiven ? key : undefined;
    return { finding: undecided(asking(task), error.message, needs), isShaky: error instanceof NoResponse };
  }
}

function asking({ entry, name, question }: Task): Finding {
  return { question: name, operation: entry.id, evidence: evidenceOf(question, { seen: [] }), askedAt: today() };
}

interface Task {
  readonly entry: OperationEntry;
  readonly name: string;
  readonly question: Question;
}

function plan(environment: Environment): Task[] {
  const rows = callableIds.flatMap((id) => entryIn(environment, id) ?? []);
  return rows.flatMap((entry) =>
    questions.flatMap((question) => question.of(entry).map((name) => ({ entry, name, question }))),
  );
}

export function questionsOf(environment: Environment): { readonly question: string; readonly operation: CallableId }[] {
  return plan(environment).map(({ name, entry }) => ({ question: name, operation: entry.id }));
}
