import { relative } from 'node:path';
import type { Observer } from '../../client/index.ts';
import { shown } from '../../config/files/file-trouble.ts';
import {
  type Asked,
  EMBEDDED,
  type Environment,
  environmentFiles,
  environmentsFolder,
  type HeaderQuestion,
  headerChanges,
  readingOf,
} from '../../config/index.ts';
import {
  type CallableId,
  type HeaderName,
  headers,
  headersOf,
  openQuestions,
  type QuestionId,
} from '../../spec/index.ts';
import { type RunLog, runLog } from '../state/run-log.ts';

export type Readings = ReturnType<typeof readingsOf>;

export function readingsOf(environment: Environment, runId: string, observer: Observer) {
  const found = findingLog(runId, environment.name);
  const isAbout = ({ question, header, operation }: Asked, each: Finding) =>
    each.question === question &&
    each.header === header &&
    (each.operation === undefined || each.operation === operation);

  /** The readings from keys or a survey, which expectations follow. */
  const known = (asked: Asked) => readingOf(environment.readings ?? [], asked);
  /** The reading that is known, or was found earlier in this run. */
  const of = (asked: Asked) => known(asked)?.reading ?? found.all().findLast((each) => isAbout(asked, each))?.reading;
  function find(finding: Finding): void {
    if (of(finding) === finding.reading) return;
    found.add(finding);
    observer.noted?.({ kind: 'found', text: findingText(finding) });
  }
  return { known, of, find };
}

/** The readings that a run found; the last one for a question counts. */
export function findingsOf(runId: string, environment: string): Finding[] {
  const all = findingLog(runId, environment).all();
  const keyOf = ({ question, header, operation }: Finding) => JSON.stringify([question, header, operation]);
  return [...new Map(all.map((finding) => [keyOf(finding), finding])).values()];
}

function findingLog(runId: string, environment: string): RunLog<Finding> {
  return runLog(runId, environment, 'found');
}

export interface Finding extends Asked {
  readonly reading: string;
}

function findingText({ question, reading, header }: Finding): string {
  const { question: asked, readings } = openQuestions[question];
  const words = (readings as Readonly<Record<string, string>>)[reading] ?? reading;
  return `${asked}${header ? ` (${header})` : ''}: ${words}`;
}

/** The lines of an environment's file that make the next run certain of findings. */
export function keyLines(findings: readonly Finding[]): string[] {
  const values = new Map<string, Set<string>>();
  for (const finding of findings) {
    const entry = openQuestions[finding.question];
    if (!('key' in entry)) continue;
    const header = headerValue(finding);
    if (header === undefined) values.set(entry.key, new Set([finding.reading]));
    else values.set(entry.key, (values.get(entry.key) ?? new Set()).add(header));
  }
  return [...values].map(([key, given]) => `${key}=${[...given].join(',')}`);
}

export function findingLines(environment: string, findings: readonly Finding[]): string[] {
  if (findings.length === 0) return [];
  const texts = [...new Set(findings.map(findingText))];
  const found = [
    `${environment}: found out, because the specification leaves it open:`,
    ...texts.map((text) => `  ${text}`),
  ];
  const { own } = environmentFiles(environment);
  // The program's own file is nobody's to edit.
  if (environment === EMBEDDED || relative(environmentsFolder(), own).startsWith('..')) return found;
  const add = `To skip finding it out, add to ${shown(own)}:`;
  return [...found, add, ...keyLines(findings).map((line) => `  ${line}`)];
}

/** `mm-client-id:wrong`; with its operation where that stands alone, for an API key's operations are compared with each other only. */
function headerValue({ question, header, operation }: Finding): string | undefined {
  if (!(question in headerChanges) || header === undefined) return undefined;
  const isOfKey = operation !== undefined && !headersOf(operation as CallableId).includes('authorization');
  const alone = isOfKey && headers[header as HeaderName].kind === 'id' ? `@${operation}` : '';
  return `${header}:${headerChanges[question as HeaderQuestion]}${alone}`;
}

/** Arguments in the form of the reading that is known or was found; where none is, of the first one, which the document shows. */
export function inForm<A extends object>(
  readings: Pick<Readings, 'of'> | undefined,
  question: QuestionId,
  make: (reading: string) => A,
): A {
  return make(readings?.of({ question }) ?? (Object.keys(openQuestions[question].readings)[0] as string));
}
