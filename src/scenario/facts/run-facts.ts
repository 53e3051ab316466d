import { type ApiResponse, type DriftLog, inside } from '../../call/index.ts';
import type { Environment } from '../../environment/index.ts';
import { type Fact, surveyCommand } from '../../facts/index.ts';
import type { Exchange } from '../../http/index.ts';
import { formQuestionOf, isSameAnswer } from '../../questions/index.ts';
import type { CallableId } from '../../service/index.ts';
import { callSite, type Observer, Prevented, Unproven } from '../../verdict/index.ts';
import {
  type AskedFact,
  type Attempt,
  type Failing,
  factLogs,
  type ProcessFacts,
  processFacts,
  type Tried,
} from './asked-facts.ts';
import { inOneProcess } from './one-process.ts';

/** An answer to a question that a scenario saw in a response. If the answer alone proves nothing, `otherwise` says why. */
export interface Seen {
  readonly question: string;
  /** Absent: the operation of the response. */
  readonly operation?: CallableId;
  readonly answer: string;
  readonly otherwise?: string | undefined;
}

interface RunFactsOptions {
  readonly environment: Environment;
  readonly runId: string;
  readonly observer: Observer;
  readonly drift: DriftLog;
  /** Asks a question with `maxRequests` requests at most; `undefined` if a run may not ask it. */
  readonly ask: (question: string, operation: CallableId, maxRequests: number) => Promise<Tried | undefined>;
}

/** The maximum number of requests for one question, and for all questions of a run. In a resident process, the second limit is per hour. */
const MOST_OF_QUESTION = 10;
const MOST_OF_RUN = 40;

/** If an attempt gave no answer, a resident process asks again after this time, in ms. */
const AGAIN_AFTER_MS = 3_600_000;

/**
 * The known answers to questions that the specification leaves open, for one scenario: the facts of the environment, and the answers that this run
 * found.
 */
export class RunFacts {
  readonly #options: RunFactsOptions;
  readonly #here: ProcessFacts;
  readonly #logs: ReturnType<typeof factLogs>;
  /** The facts that this scenario has checked. */
  readonly held = new Set<string>();
  readonly #found: AskedFact[] = [];

  constructor(options: RunFactsOptions) {
    this.#options = options;
    this.#here = processFacts(options.environment);
    this.#logs = factLogs(options.runId, options.environment.name);
  }

  /** The committed fact that answers a question. Expectations are based on it. */
  fact(question: string, operation: CallableId): Fact | undefined {
    return this.#options.environment.facts?.of(question, operation);
  }

  /** The answer of a fact, or one that was found earlier; `undefined` if the question is open. */
  answer(question: string, operation: CallableId): string | undefined {
    return (this.fact(question, operation) ?? this.#here.answers.findLast(isAbout(question, operation)))?.answer;
  }

  /** Like `answer`, but asks an open question once for the whole run, if a run may ask it. */
  async asked(question: string, operation: CallableId): Promise<string | undefined> {
    const known = this.answer(question, operation);
    if (known !== undefined) return known;
    const key = `${operation} ${question}`;
    const { underWay } = this.#here;
    const asking = underWay.get(key) ?? this.#askOnce(question, operation).finally(() => underWay.delete(key));
    underWay.set(key, asking);
    return asking;
  }

  /** Why the last attempt to ask a question gave no answer. */
  whyOpen(question: string, operation: CallableId): string | undefined {
    return this.#lastAttempt(question, operation)?.why;
  }

  /** Whether nothing is known about a question: it has no answer, and its last experiment, if there was one, was stopped early. */
  isUnknown(question: string, operation: CallableId): boolean {
    if (this.answer(question, operation) !== undefined) return false;
    const last = this.#lastAttempt(question, operation);
    // If the last attempt has no `why`, it gave an answer, which `drop` removed later.
    return last?.why === undefined || last.isPrevented === true;
  }

  #lastAttempt(question: string, operation: CallableId): Attempt | undefined {
    return this.#attempts().findLast(isAbout(question, operation));
  }

  /** Lets one process ask. The others wait, and read the answer in the log of the run. */
  async #askOnce(question: string, operation: CallableId): Promise<string | undefined> {
    const { environment, runId, ask } = this.#options;
    return inOneProcess(runId, environment.name, async () => {
      const about = { question, operation };
      const isIt = isAbout(question, operation);
      const isSilent = this.#logs.failing.all().some((each) => each.operation === operation && !each.isJudged);
      const elsewhere = isSilent ? undefined : this.#logs.asked.all().findLast(isIt);
      if (elsewhere) {
        this.#here.answers.push(elsewhere);
        return elsewhere.answer;
      }
      const recent = this.#attempts().filter(({ at }) => Date.now() - at < AGAIN_AFTER_MS);
      const spent = recent.reduce((sum, { requests }) => sum + requests, 0);
      if (recent.some(isIt) || spent >= MOST_OF_RUN) return undefined;
      const tried = await ask(question, operation, Math.min(MOST_OF_QUESTION, MOST_OF_RUN - spent));
      if (!tried) return undefined;
      const { answer, why = 'no answer', requests, error, isPrevented } = tried;
      const ending = answer === undefined ? { why, ...(isPrevented ? { isPrevented } : {}) } : {};
      const attempt: Attempt = { ...about, at: Date.now(), requests, ...ending };
      this.#here.attempts.push(attempt);
      this.#logs.attempts.add(attempt);
      if (error) throw error;
      if (answer !== undefined) this.found({ ...about, answer });
      return answer;
    });
  }

  #attempts(): readonly Attempt[] {
    const own = this.#here.attempts;
    const others = this.#logs.attempts.all();
    return [...others, ...own.filter((each) => !others.some(({ at }) => at === each.at))];
  }

  /** Notes an answer for the rest of the run. */
  found(found: AskedFact): void {
    const { question, operation, answer } = found;
    if (this.answer(question, operation) === answer) return;
    this.#here.answers.push(found);
    this.#found.push(found);
    this.#logs.asked.add(found);
    this.#options.observer.noted?.({ kind: 'found', text: `${operation} ${question}: ${answer}` });
  }

  /**
   * Notes an answer that a scenario saw in its usual requests, so nobody has to ask the question. If a fact says the same, the fact counts as
   * checked.
   */
  saw(seen: AskedFact): void {
    const known = this.answer(seen.question, seen.operation);
    if (known === undefined) this.#here.answers.push(seen);
    else if (isSameAnswer(known, seen.answer)) this.held.add(`${seen.operation} ${seen.question}`);
  }

  /**
   * Drops answers about failing operations, because a fault may have caused these answers. If the responses of the operation could not be
   * judged, neither this run nor later runs of the process use the answers. Otherwise this run still uses the answers, but doesn't propose
   * to commit them.
   */
  drop(failing: readonly Failing[]): void {
    const found = this.#found.map(({ operation, question }): Failing => ({ operation, question, isJudged: true }));
    for (const each of failing.length > 0 ? [...failing, ...found] : []) this.#logs.failing.add(each);
    const dropped = failing.filter(({ isJudged }) => !isJudged).map(({ operation }) => operation);
    const { answers } = this.#here;
    answers.splice(0, answers.length, ...answers.filter(({ operation }) => !dropped.includes(operation)));
  }

  /** The form of an operation's arguments that the service accepts; `undefined` if that is unknown, or there is only one form. */
  formOf(id: CallableId): string | undefined {
    const form = formQuestionOf(id);
    return form && this.answer(form.question, form.of[0]);
  }

  /**
   * Checks an observed answer against the fact about its question. An answer that contradicts the fact is drift. If there is no fact, there
   * can be no drift.
   * @throws Unproven if the answer is no drift, and `otherwise` says that it proves nothing
   */
  holds(met: ApiResponse | Exchange, { question, operation, answer, otherwise }: Seen): void {
    const exchange = 'operation' in met ? met : inside(met).exchange;
    const fact = this.fact(question, operation ?? exchange.operation);
    if (fact) this.held.add(`${fact.operation} ${question}`);
    if (fact && !isSameAnswer(fact.answer, answer) && !isSameAnswer(answer, fact.answer))
      this.#options.drift.broke(fact, answer, exchange, callSite(this.holds));
    else if (otherwise !== undefined) throw new Unproven(otherwise);
  }

  get heldInRun() {
    return this.#logs.held;
  }

  /** The error for a response that a scenario can't judge: `Prevented` if a committed fact says that it can be judged, else `Unproven`. */
  unjudged(question: string, operation: CallableId, why: string): Unproven | Prevented {
    const fact = this.fact(question, operation);
    return fact ? new Prevented(why, fact) : new Unproven(why);
  }

  /** The survey command that answers an open question. With `update`, the command also accepts an answer that changed. */
  surveyCommand(question: string, operation: CallableId, update = false): string {
    return surveyCommand(this.#options.environment.name, [{ question, operation }], { update });
  }

  /**
   * Notes how many requests a second the service allows. Keeps only the first estimate of a run, because the later ones are based on it.
   */
  noteRate(perSecond: number): void {
    if (this.#logs.rate.all().length > 0) return;
    const rounded = perSecond >= 10 ? Math.floor(perSecond) : Math.max(0.1, Math.floor(perSecond * 10) / 10);
    this.#logs.rate.add(rounded);
    this.#options.observer.noted?.({ kind: 'found', text: `the service takes ${rounded} requests a second` });
  }
}

function isAbout(question: string, operation: CallableId) {
  return (each: Omit<AskedFact, 'answer'>) => each.question === question && each.operation === operation;
}
