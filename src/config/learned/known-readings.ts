import type { LearnedFact } from '../../client/index.ts';
import { headers, type OpenQuestion, openQuestions, type QuestionId, questionIds } from '../../spec/index.ts';
import type { Values } from '../keys/keys.ts';
import { type HeaderQuestion, headerChanges } from '../keys/reading-keys.ts';

/** A known reading of a question that the specification leaves open. */
export interface KnownReading {
  readonly question: QuestionId;
  readonly reading: string;
  /** The header, in lower case, for questions about headers. */
  readonly header?: string;
  /** The operation; absent: all operations. */
  readonly operation?: string;
  /** The source: a key of the environment, or its survey. */
  readonly source: string;
}

/** A question with its header and operation. */
export type Asked = Pick<KnownReading, 'question' | 'header' | 'operation'>;

/** The readings from keys first, then those from a survey. */
export function knownReadings(
  values: Values,
  facts: readonly Pick<LearnedFact, 'operation' | 'question' | 'answer'>[],
): KnownReading[] {
  return [...writtenDown(values), ...facts.flatMap(surveyed)];
}

/** The first known reading of a question. */
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
