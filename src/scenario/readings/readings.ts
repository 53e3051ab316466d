import { relative } from 'node:path';
import type { Observer } from '../../client/index.ts';
import { shown } from '../../config/files/file-trouble.ts';
import { EMBEDDED, type Environment, environmentFiles, environmentsFolder } from '../../config/index.ts';
import { surveyCommand } from '../../engine/facts/index.ts';
import { type Asked, factAsked, readingOf } from '../../service/questions/index.ts';
import { type OpenQuestion, openQuestions, type QuestionId } from '../../spec/index.ts';
import { type RunLog, runLog } from '../state/run-log.ts';

export type Readings = ReturnType<typeof readingsOf>;

export function readingsOf(environment: Environment, runId: string, observer: Observer) {
  const found = findingLog(runId, environment.name);
  const isAbout = ({ question, header, operation }: Asked, each: Finding) =>
    each.question === question &&
    each.header === header &&
    (each.operation === undefined || each.operation === operation);

  /** The readings that facts state, which expectations follow. */
  const known = (asked: Asked) => readingOf(environment, asked);
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

/** The command that keeps findings as facts; `undefined` where none of them is one. */
export function keepCommand(environment: string, findings: readonly Finding[]): string | undefined {
  const asked = findings.flatMap((finding) => factAsked(finding) ?? []);
  return asked.length > 0 ? surveyCommand(environment, asked) : undefined;
}

/** The lines of an environment's file that say findings which are no facts, such as a rate of requests. */
export function keyLines(findings: readonly Finding[]): string[] {
  const lines = findings.flatMap(({ question, reading }) => {
    const { key }: OpenQuestion = openQuestions[question];
    return key === undefined ? [] : [`${key}=${reading}`];
  });
  return [...new Set(lines)];
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
  const keys = keyLines(findings);
  const add =
    keys.length > 0 ? [`To skip finding it out, add to ${shown(own)}:`, ...keys.map((line) => `  ${line}`)] : [];
  const command = keepCommand(environment, findings);
  return [...found, ...(command ? [`To skip finding it out, keep it: ${command}`] : []), ...add];
}

/** Arguments in the form of the reading that is known or was found; where none is, of the first one, which the document shows. */
export function inForm<A extends object>(
  readings: Pick<Readings, 'of'> | undefined,
  question: QuestionId,
  make: (reading: string) => A,
): A {
  return make(readings?.of({ question }) ?? (Object.keys(openQuestions[question].readings)[0] as string));
}
