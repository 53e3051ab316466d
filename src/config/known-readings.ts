import type { LearnedFact } from '../client/index.ts';
import { headers, type OpenQuestion, openQuestions, type QuestionId, questionIds } from '../spec/index.ts';
import type { Values } from './keys.ts';
import { type HeaderQuestion, headerChanges } from './reading-keys.ts';

/** What is known of a question that the specification leaves open. */
export interface KnownReading {
  readonly question: QuestionId;
  readonly reading: string;
  /** The header that it is about, in lower case, where the question is one of headers. */
  readonly header?: string;
  /** The operation that it is about; absent: all of them. */
  readonly operation?: string;
  /** Who says so: a key of the environment, or its survey. */
  readonly source: string;
}

/** What is asked: a question, and the header and operation that it is asked of. */
export interface Asked {
  readonly question: QuestionId;
  readonly header?: string;
  readonly operation?: string;
}

/** What a team wrote down, then what a survey found. */
export function knownReadings(
  values: Values,
  facts: readonly Pick<LearnedFact, 'operation' | 'question' | 'answer'>[],
): KnownReading[] {
  return [...writtenDown(values), ...facts.flatMap(surveyed)];
}

/** The first thing that is known of what is asked. */
export function readingOf(known: readonly KnownReading[], asked: Asked): KnownReading | undefined {
  return known.find(
    ({ question, header, operation }) =>
      question === asked.question &&
      header === asked.header &&
      (operation === undefined || operation === asked.operation),
  );
}

function writtenDown(values: Values): KnownReading[] {
  const unchecked = values.HEADERS_NOT_CHECKED;
  const plain = questionIds.flatMap((question): KnownReading[] => {
    const { key }: OpenQuestion = openQuestions[question];
    const reading = key === undefined ? undefined : values[key as keyof Values];
    const isReading = typeof reading === 'string' && reading in openQuestions[question].readings;
    return key !== undefined && isReading ? [{ question, reading, source: key }] : [];
  });
  if (!unchecked) return plain;
  const source = 'HEADERS_NOT_CHECKED';
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

function surveyed({
  operation,
  question: asked,
  answer,
}: Pick<LearnedFact, 'operation' | 'question' | 'answer'>): KnownReading[] {
  const [name, subject] = asked.split(/:(.*)/s);
  return questionIds.flatMap((question) => {
    const { fact, of }: OpenQuestion = openQuestions[question];
    if (!fact || fact.question !== name) return [];
    const found = Object.entries(fact.readings).find(([, pattern]) => pattern.test(answer));
    const header = question === 'headerOfAnother' ? 'mm-user-id' : subject?.toLowerCase();
    if (!found || (of === 'header' && header === undefined)) return [];
    return [
      {
        question,
        reading: found[0],
        operation,
        source: 'its survey',
        ...(of === 'header' && header ? { header } : {}),
      },
    ];
  });
}
