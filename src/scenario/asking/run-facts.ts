import {
  type ApiResponse,
  callSite,
  type DriftLog,
  type Exchange,
  factKey,
  inside,
  type LearnedFact,
  type Observer,
  Unproven,
} from '../../client/index.ts';
import type { Environment } from '../../config/index.ts';
import { type CallableId, type OpenQuestion, openQuestions, questionOfForm } from '../../spec/index.ts';
import type { RunLog } from '../state/run-log.ts';
import { type AskedFact, askedLog, keepCommand, rateLog, seenLog } from './asked-facts.ts';

/** What a scenario saw of a question: its answer, and why that proves nothing, where no fact says so. */
export interface Seen {
  readonly question: string;
  /** Absent: that of the response. */
  readonly operation?: CallableId;
  readonly answer: string;
  readonly otherwise?: string | undefined;
}

interface RunFactsOptions {
  readonly environment: Environment;
  readonly runId: string;
  readonly observer: Observer;
  readonly drift: DriftLog;
}

/** What is known of what the specification leaves open, as scenarios read it: the facts of the environment, and what this run asked. */
export class RunFacts {
  readonly #environment: Environment;
  readonly #drift: DriftLog;
  readonly #observer: Observer;
  readonly #asked: RunLog<AskedFact>;
  readonly #seen: RunLog<AskedFact>;
  readonly #rates: RunLog<number>;

  constructor({ environment, runId, observer, drift }: RunFactsOptions) {
    this.#environment = environment;
    this.#drift = drift;
    this.#observer = observer;
    this.#asked = askedLog(runId, environment.name);
    this.#seen = seenLog(runId, environment.name);
    this.#rates = rateLog(runId, environment.name);
  }

  /** The committed fact, which expectations follow. */
  fact(question: string, operation: CallableId): LearnedFact | undefined {
    return this.#environment.facts?.get(factKey(operation, question));
  }

  /** The answer of a fact, or one that this run found earlier; `undefined` where it is open. */
  answer(question: string, operation: CallableId): string | undefined {
    const isIt = (each: AskedFact) => each.question === question && each.operation === operation;
    const known = this.fact(question, operation) ?? this.#asked.all().findLast(isIt) ?? this.#seen.all().findLast(isIt);
    return known?.answer;
  }

  async asked(question: string, operation: CallableId): Promise<string | undefined> {
    return this.answer(question, operation);
  }

  /** Notes an answer for the rest of the run. */
  found(found: AskedFact): void {
    if (this.answer(found.question, found.operation) === found.answer) return;
    this.#asked.add(found);
    const { question, operation, answer } = found;
    this.#observer.noted?.({ kind: 'found', text: `${operation} ${question}: ${answer}` });
  }

  /** Notes what a scenario saw on its way, which need not be asked any more. */
  saw(seen: AskedFact): void {
    if (this.answer(seen.question, seen.operation) === undefined) this.#seen.add(seen);
  }

  /** The form of an operation's arguments that the service takes; `undefined` where it is open, or there is but one. */
  formOf(id: CallableId): string | undefined {
    const form = questionOfForm(id);
    if (!form) return undefined;
    const { fact, formOf = [] }: OpenQuestion = openQuestions[form];
    const known = fact && this.answer(fact.question, formOf[0] as CallableId);
    return known ?? this.#environment.readings?.find(({ question }) => question === form)?.reading;
  }

  /**
   * Holds what was seen to the fact about it. Without a fact it may be as it was seen.
   * @throws Unproven with `otherwise`
   */
  holds(met: ApiResponse | Exchange, { question, operation, answer, otherwise }: Seen): void {
    const exchange = 'operation' in met ? met : inside(met).exchange;
    const fact = this.fact(question, operation ?? exchange.operation);
    if (fact && !saysTheSame(fact.answer, answer)) this.#drift.broke(fact, answer, exchange, callSite(this.holds));
    else if (otherwise !== undefined) throw new Unproven(otherwise);
  }

  /** The command that finds out what is open; with `update`, that takes an answer that changed. */
  surveyCommand(question: string, operation: CallableId, update = false): string {
    return keepCommand(this.#environment.name, [{ question, operation }], update);
  }

  /** Notes how many requests a second the service takes; the first estimate of a run counts, because later ones follow from it. */
  noteRate(perSecond: number): void {
    if (this.#rates.all().length > 0) return;
    const rounded = perSecond >= 10 ? Math.floor(perSecond) : Math.max(0.1, Math.floor(perSecond * 10) / 10);
    this.#rates.add(rounded);
    this.#observer.noted?.({ kind: 'found', text: `the service takes ${rounded} requests a second` });
  }
}

/** A person may have written an outcome without its status. */
function saysTheSame(known: string, seen: string): boolean {
  return known === seen || seen.startsWith(`${known} `) || known.startsWith(`${seen} `);
}
