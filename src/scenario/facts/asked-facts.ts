import { counted, type Environment } from '../../environment/index.ts';
import { surveyCommand } from '../../facts/index.ts';
import type { CallableId } from '../../service/index.ts';
import { runLog } from '../run-files/run-log.ts';

/** An answer that a run found by asking. It is not written to the facts of the environment. */
export interface AskedFact {
  readonly question: string;
  readonly operation: CallableId;
  readonly answer: string;
}

/** The outcome of asking a question. */
export interface Tried {
  /** Absent if the experiment gave no answer. */
  readonly answer?: string;
  /** Why there is no answer. */
  readonly why?: string;
  /** Something stopped the experiment early, such as a 429 or a missing response, so nothing is known about the question. */
  readonly isPrevented?: true;
  /** The server error that the experiment met. */
  readonly error?: Error | undefined;
  readonly requests: number;
}

/** An attempt of a run to ask a question. Without `why`, it found an answer. */
export interface Attempt extends Omit<AskedFact, 'answer'>, Omit<Tried, 'answer' | 'error'> {
  /** When the question was asked, in ms since 1970. */
  readonly at: number;
}

/**
 * A failure in a scenario of the run, which makes answers doubtful: all answers about the failing operation or, with `question`, one answer
 * that the scenario found.
 */
export interface Failing {
  readonly operation: CallableId;
  /** Absent: all questions about the operation. */
  readonly question?: string;
  /**
   * True if the responses of the operation could be judged, although one of them broke an expectation. This run still uses the answers
   * about the operation, but doesn't propose to commit them.
   */
  readonly isJudged?: true;
}

/** The logs about an environment that the processes of a run share. */
export function factLogs(runId: string, environment: string) {
  const log = <T>(kind: string) => runLog<T>(runId, environment, kind);
  return {
    asked: log<AskedFact>('asked'),
    attempts: log<Attempt>('attempts'),
    failing: log<Failing>('failing'),
    /** Facts such as `love repeat` that scenarios checked. A scenario adds its facts only if it was played to its end. */
    held: log<string>('held'),
    /** How many requests a second the service allows. */
    rate: log<number>('rate'),
  };
}

/** The answers that a process keeps for all its runs, because a monitor's runs are too short to ask each time. */
export interface ProcessFacts {
  /** Includes answers that a scenario saw in its usual requests, because an experiment would give the same answer. */
  readonly answers: AskedFact[];
  readonly attempts: Attempt[];
  readonly underWay: Map<string, Promise<string | undefined>>;
}

/** If the files of an environment change, it is loaded as a new object, for which no answers are kept yet. */
const ofProcess = new WeakMap<Environment, ProcessFacts>();

export function processFacts(environment: Environment): ProcessFacts {
  const found = ofProcess.get(environment) ?? { answers: [], attempts: [], underWay: new Map() };
  ofProcess.set(environment, found);
  return found;
}

/** The answers that a run found, the last one for each question, without those that a failure may have caused. */
export function askedFacts(runId: string, environment: string): AskedFact[] {
  const logs = factLogs(runId, environment);
  const failing = logs.failing.all();
  const isOf = (found: AskedFact) => (each: Failing) =>
    each.operation === found.operation && (each.question ?? found.question) === found.question;
  const kept = logs.asked.all().filter((found) => !failing.some(isOf(found)));
  return [...new Map(kept.map((found) => [`${found.operation} ${found.question}`, found])).values()];
}

/** Lists the answers that a run found, and the rate that the service allows, one per line. */
export function askedLines(environment: string, asked: readonly AskedFact[], rate?: number): string[] {
  const it = asked.length === 1 ? 'it' : 'them';
  const command = asked.length > 0 ? surveyCommand(environment, asked) : '';
  return [
    ...(asked.length > 0
      ? [`${environment}: found out ${counted(asked.length, 'fact')}; to keep ${it}, run \`${command}\``]
      : []),
    ...asked.map(({ operation, question, answer }) => `  ${operation} ${question}: ${answer}`),
    ...(rate === undefined
      ? []
      : [
          `${environment}: the service takes ${rate} requests a second; to stay below that, set MAX_REQUESTS_PER_SECOND=${rate}`,
        ]),
  ];
}
