import { relative } from 'node:path';
import { type Observer, offer } from '../../client/index.ts';
import { EMBEDDED, type Environment, environmentFiles, environmentsFolder } from '../../config/index.ts';
import { surveyCommand } from '../../engine/facts/index.ts';
import { type Asked, factAsked, readingOf } from '../../service/questions/index.ts';
import { openQuestions, type QuestionId } from '../../spec/index.ts';
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
  const command = keepCommand(environment, findings);
  return command ? [...found, `To skip finding it out, keep it with \`${command}\`.`] : found;
}

/** Arguments in the form of the reading that is known or was found, or the first; where none is known, the others are offered, too. */
export function inForms<A extends object>(
  readings: Pick<Readings, 'of' | 'known' | 'find'> | undefined,
  question: QuestionId,
  make: (reading: string) => A,
): A {
  const names = Object.keys(openQuestions[question].readings) as [string, ...string[]];
  const chosen = readings?.of({ question }) ?? names[0];
  const args = make(chosen);
  if (!readings || readings.known({ question })) return args;
  const left = names.filter((name) => name !== chosen);
  const made = new Map<string, A>();
  return offer(args, () => {
    const forms = left.values();
    return async () => {
      const reading = forms.next().value;
      if (reading === undefined) return undefined;
      // Hardly any form but the first is ever needed, and its data takes longer to invent than a request to send.
      const other = made.get(reading) ?? make(reading);
      made.set(reading, other);
      return { args: other, taken: () => readings.find({ question, reading }) };
    };
  });
}
