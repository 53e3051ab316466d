import { counted, type Environment } from '../../environment/index.ts';
import { surveyCommand } from '../../facts/index.ts';
import type { CallableId } from '../../service/index.ts';
import { runLog } from '../run-files/run-log.ts';

/** An answer that a run found, for the run alone. */
export interface AskedFact {
  readonly question: string;
  readonly operation: CallableId;
  readonly answer: string;
}

/** The outcome of asking a question. */
export interface Tried {
  /** Absent: the experiment did not answer. */
  readonly answer?: string;
  /** Why not. */
  readonly why?: string;
  /** Something kept the experiment from its end, such as a 429 or no response: nothing is known of the question. */
  readonly isPrevented?: true;
  /** The server error that the experiment met. */
  readonly error?: Error | undefined;
  readonly requests: number;
}

/** An attempt of a run to ask a question; without `why`, it was answered. */
export interface Attempt extends Omit<AskedFact, 'answer'>, Omit<Tried, 'answer' | 'error'> {
  /** Epoch, in ms. */
  readonly at: number;
}

/** An operation that failed in a scenario of the run, or a question about another one that such a scenario asked. */
export interface Failing {
  readonly operation: CallableId;
  /** Absent: all about the operation. */
  readonly question?: string;
  /** Its responses could be judged, and one broke an expectation: what was found about it counts for this run, but is not to be kept. */
  readonly isJudged?: true;
}

/** The logs about an environment that the processes of a run share. */
export function factLogs(runId: string, environment: string) {
  const log = <T>(kind: string) => runLog<T>(runId, environment, kind);
  return {
    asked: log<AskedFact>('asked'),
    attempts: log<Attempt>('attempts'),
    failing: log<Failing>('failing'),
    /** The facts that scenarios held and were played to their end, as `love repeat`. */
    held: log<string>('held'),
    /** How many requests a second the service takes. */
    rate: log<number>('rate'),
  };
}

/** The answers that a process keeps for all its runs. A monitor's runs are too short to ask again each time. */
export interface ProcessFacts {
  /** Includes answers that a scenario saw in its usual requests, because the question would give the same answer. */
  readonly answers: AskedFact[];
  readonly attempts: Attempt[];
  readonly underWay: Map<string, Promise<string | undefined>>;
}

/** By environment as it was loaded: once its files have changed, it is another one. */
const ofProcess = new WeakMap<Environment, ProcessFacts>();

export function processFacts(environment: Environment): ProcessFacts {
  const found = ofProcess.get(environment) ?? { answers: [], attempts: [], underWay: new Map() };
  ofProcess.set(environment, found);
  return found;
}

/** The facts that a run asked, without those that may come of a failure. The last answer to a question counts. */
export function askedFacts(runId: string, environment: string): AskedFact[] {
  const logs = factLogs(runId, environment);
  const failing = logs.failing.all();
  const isOf = (found: AskedFact) => (each: Failing) =>
    each.operation === found.operation && (each.question ?? found.question) === found.question;
  const kept = logs.asked.all().filter((found) => !failing.some(isOf(found)));
  return [...new Map(kept.map((found) => [`${found.operation} ${found.question}`, found])).values()];
}

/** Lists the facts that a run asked, and the rate that the service allows, one a line. */
export function askedLines(environment: string, asked: readonly AskedFact[], rate?: number): string[] {
  const it = asked.length === 1 ? 'it' : 'them';
  const command = asked.length > 0 ? surveyCommand(environment, asked) : '';
  return [
    ...(asked.length > 0
      ? [`${environment}: ${counted(asked.length, 'fact')} asked; keep ${it} with \`${command}\``]
      : []),
    ...asked.map(({ operation, question, answer }) => `  ${operation} ${question}: ${answer}`),
    ...(rate === undefined
      ? []
      : [`${environment}: the service takes ${rate} requests a second; MAX_REQUESTS_PER_SECOND=${rate} keeps to it`]),
  ];
}
