import { hash } from 'node:crypto';
import { join } from 'node:path';
import {
  factKey,
  isObservedOperation,
  type LearnedFact,
  type LearnedFacts,
  type Observed,
  type ObservedOperation,
  parsedJson,
} from '../../client/index.ts';
import { headers, type OpenQuestion, openQuestions, type QuestionId, questionIds } from '../../spec/index.ts';
import { fileRoles, listFolder, readText, readTextIfAny } from '../files/index.ts';
import type { Values } from '../keys/keys.ts';
import { type HeaderQuestion, headerChanges } from '../keys/reading-keys.ts';
import { workFolder } from '../project-root.ts';

export interface KnownReading {
  readonly question: QuestionId;
  readonly reading: string;
  /** The header, in lower case, for questions about headers. */
  readonly header?: string;
  readonly operation?: string;
  /** The source: a key of the environment, or its survey. */
  readonly source: string;
}

export type Asked = Pick<KnownReading, 'question' | 'header' | 'operation'>;

type Told = Pick<LearnedFact, 'operation' | 'question' | 'answer'>;

/** The readings from keys first, then those from a survey. */
export function knownReadings(values: Values, facts: readonly Told[]): KnownReading[] {
  return [...writtenDown(values), ...facts.flatMap(surveyed)];
}

export function readingOf(known: readonly KnownReading[], asked: Asked): KnownReading | undefined {
  return known.find(
    ({ question, header, operation }) =>
      question === asked.question &&
      header === asked.header &&
      (operation === undefined || operation === asked.operation),
  );
}

function writtenDown(values: Values): KnownReading[] {
  const plain = questionIds.flatMap((question): KnownReading[] => {
    const { key = '', readings }: OpenQuestion = openQuestions[question];
    const reading = values[key as keyof Values];
    return typeof reading === 'string' && reading in readings ? [{ question, reading, source: key }] : [];
  });
  const source = 'HEADERS_NOT_CHECKED';
  const unchecked = values[source];
  if (!unchecked) return plain;
  const questions = Object.entries(headerChanges) as [HeaderQuestion, string][];
  const accepted = [...unchecked].flatMap((part) => {
    const [header = '', way = '', operation] = part.split(/[:@]/);
    return questions
      .filter(([, known]) => known === way)
      .map(([question]) => ({ question, header, reading: 'accepted', source, ...(operation ? { operation } : {}) }));
  });
  const refused = Object.keys(headers).flatMap((header) =>
    questions.map(([question]) => ({ question, header, reading: 'refused', source })),
  );
  return [...plain, ...accepted, ...refused];
}

function surveyed({ operation, question: asked, answer }: Told): KnownReading[] {
  const [name, subject] = asked.split(/:(.*)/s);
  return questionIds.flatMap((question) => {
    const { fact, of }: OpenQuestion = openQuestions[question];
    if (!fact || fact.question !== name) return [];
    const [reading] = Object.entries(fact.readings).find(([, pattern]) => pattern.test(answer)) ?? [];
    const known = { question, operation, source: 'its survey' };
    if (reading === undefined) return [];
    if (of !== 'header') return [{ ...known, reading }];
    const header = question === 'headerOfAnother' ? 'mm-user-id' : subject?.toLowerCase();
    return header ? [{ ...known, reading, header }] : [];
  });
}

type Variables = Readonly<Record<string, string | undefined>>;

const UNDECIDED = 'undecided';

export function surveysFolder(env: Variables = process.env): string {
  return env.SEXTANT_SURVEYS || join(workFolder, 'surveys');
}

/** Where surveys leave the answers that they observed; SEXTANT_OBSERVED names another folder. */
export function observedFolder(environment: string, env: Variables = process.env): string {
  return join(env.SEXTANT_OBSERVED || join(workFolder, 'schemas', 'observed'), environment);
}

/** The decided facts of a survey file; `undefined` if there is none. An unusable file is a problem. */
export function readFacts(path: string, report: ReportOfFile): LearnedFacts | undefined {
  const text = readTextIfAny(path, fileRoles.survey);
  if (text === undefined) return undefined;
  const { facts } = (parsedJson(text) ?? {}) as { readonly facts?: unknown };
  if (!Array.isArray(facts) || !facts.every(isFact)) {
    report(path, 'facts', UNUSABLE);
    return undefined;
  }
  const decided = facts.filter(({ answer }) => answer !== UNDECIDED);
  const full = decided.map((fact): LearnedFact => ({ observedAt: '', evidence: [], ...fact }));
  return new Map(full.map((fact) => [factKey(fact.operation, fact.question), fact]));
}

/** The observed answers of an environment; a file that can't be used is a problem, never silently left out. */
export function readObserved(folder: string, report: ReportOfFile = () => {}): Observed {
  const observed = new Map<string, ObservedOperation>();
  const files = listFolder(folder, fileRoles.observed).filter((name) => name.endsWith('.json'));
  for (const file of files.sort()) {
    const path = join(folder, file);
    const found = observedIn(readText(path, fileRoles.observed));
    if (found) observed.set(found.operation, found);
    else report(path, 'answers', UNUSABLE);
  }
  return observed;
}

/** By the hash of their text: an environment is loaded again and again, and its schemas are compiled once. */
const known = new Map<string, ObservedOperation | undefined>();

function observedIn(text: string): ObservedOperation | undefined {
  const id = hash('sha256', text);
  if (known.has(id)) return known.get(id);
  const found = parsedJson(text);
  const usable = isObservedOperation(found) ? found : undefined;
  known.set(id, usable);
  return usable;
}

type ReportOfFile = (path: string, key: string, text: string) => void;

const UNUSABLE =
  'are not in the format of `sextant survey`; restore the file from the repository, or run the survey again';

/** Date and evidence are only for messages; a fact doesn't need them. */
function isFact(value: unknown): value is Told & Partial<LearnedFact> {
  const { operation, question, answer } = (value ?? {}) as Readonly<Record<string, unknown>>;
  return [operation, question, answer].every((text) => typeof text === 'string');
}
