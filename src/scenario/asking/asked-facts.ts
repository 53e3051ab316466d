import { counted } from '../../config/index.ts';
import type { CallableId } from '../../spec/index.ts';
import { type RunLog, runLog } from '../state/run-log.ts';

/** An answer that a run found, for the run alone. */
export interface AskedFact {
  readonly question: string;
  readonly operation: CallableId;
  readonly answer: string;
}

export function askedLog(runId: string, environment: string): RunLog<AskedFact> {
  return runLog(runId, environment, 'asked');
}

/** What scenarios saw on their way: answers that a question would give, too. */
export function seenLog(runId: string, environment: string): RunLog<AskedFact> {
  return runLog(runId, environment, 'seen');
}

export function rateLog(runId: string, environment: string): RunLog<number> {
  return runLog(runId, environment, 'rate');
}

/** The facts that a run asked; the last answer to a question counts. */
export function askedFacts(runId: string, environment: string): AskedFact[] {
  const all = askedLog(runId, environment).all();
  return [...new Map(all.map((fact) => [`${fact.operation} ${fact.question}`, fact])).values()];
}

/** The command that keeps what was asked; more questions than a line holds are asked by their operations. */
export function keepCommand(environment: string, asked: readonly Omit<AskedFact, 'answer'>[], update = false): string {
  const each = new Set(asked.map(({ operation, question }) => `${operation} ${question}`));
  const patterns = each.size > MOST_PATTERNS ? new Set(asked.map(({ operation }) => operation)) : each;
  return `npx sextant survey --env ${environment}${update ? ' --update' : ''} --only '${[...patterns].join(',')}'`;
}

const MOST_PATTERNS = 4;

/** What a run asked, and how fast the service lets it go, in lines. */
export function askedLines(environment: string, asked: readonly AskedFact[], rate?: number): string[] {
  return [
    ...(asked.length > 0
      ? [
          `${environment}: ${counted(asked.length, 'fact')} asked; keep ${asked.length === 1 ? 'it' : 'them'} with \`${keepCommand(environment, asked)}\`:`,
          ...asked.map(({ operation, question, answer }) => `  ${operation} ${question}: ${answer}`),
        ]
      : []),
    ...(rate === undefined
      ? []
      : [`${environment}: the service takes ${rate} requests a second; MAX_REQUESTS_PER_SECOND=${rate} keeps to it`]),
  ];
}
