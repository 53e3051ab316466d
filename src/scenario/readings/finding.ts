import { relative } from 'node:path';
import {
  type Asked,
  environmentFiles,
  environmentsFolder,
  type HeaderQuestion,
  headerChanges,
} from '../../config/index.ts';
import { type CallableId, type HeaderName, headers, headersOf, openQuestions } from '../../spec/index.ts';

/** The reading of an open question that a run found. */
export interface Finding extends Asked {
  readonly reading: string;
}

/** A finding in one line: the question, and what is the case here. */
export function findingText({ question, reading, header }: Finding): string {
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

/** The readings that a run found, as text; empty if it found none. */
export function findingLines(environment: string, findings: readonly Finding[]): string[] {
  if (findings.length === 0) return [];
  const texts = [...new Set(findings.map(findingText))];
  const found = [
    `${environment}: found out, because the specification leaves it open:`,
    ...texts.map((text) => `  ${text}`),
  ];
  const { own } = environmentFiles(environment);
  // The package's own file is nobody's to edit.
  if (relative(environmentsFolder(), own).startsWith('..')) return found;
  const add = `To skip finding it out, add to environments/${environment}.env:`;
  return [...found, add, ...keyLines(findings).map((line) => `  ${line}`)];
}

/** `mm-client-id:wrong`; with its operation where that stands alone, for an API key's operations are compared with each other only. */
function headerValue({ question, header, operation }: Finding): string | undefined {
  if (!(question in headerChanges) || header === undefined) return undefined;
  const isOfKey = operation !== undefined && !headersOf(operation as CallableId).includes('authorization');
  const alone = isOfKey && headers[header as HeaderName].kind === 'id' ? `@${operation}` : '';
  return `${header}:${headerChanges[question as HeaderQuestion]}${alone}`;
}
