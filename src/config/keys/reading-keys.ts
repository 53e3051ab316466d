import {
  type CallableId,
  callableIds,
  headers,
  type OpenQuestion,
  openQuestions,
  type QuestionId,
  questionIds,
} from '../../spec/index.ts';
import { type Checked, type KeyEntry, oneOf, partsOf, wrong } from './check-keys.ts';

/** Ways in which a header can be wrong, by question. */
export const headerChanges = {
  headerMissing: 'missing',
  headerEmpty: 'empty',
  headerWrong: 'wrong',
  headerOfAnother: 'another',
} as const;

export type HeaderQuestion = keyof typeof headerChanges;

/** Questions whose keys have values other than their readings. */
const otherKeys = ['MAX_REQUESTS_PER_SECOND', 'HEADERS_NOT_CHECKED', 'SUCCESS_WHEN', 'CONSISTENCY_TIMEOUT_MS'] as const;

type KeyOf<Q> = Q extends { readonly key: infer K extends string } ? K : never;
type ReadingKey = Exclude<KeyOf<(typeof openQuestions)[QuestionId]>, (typeof otherKeys)[number]>;

/** The keys for what the specification leaves open; absent: Sextant finds out, a form of arguments by a survey alone. */
export const readingKeys = {
  ...(Object.fromEntries(
    questionIds.flatMap((id) => {
      const { question, readings, key, formOf }: OpenQuestion = openQuestions[id];
      if (key === undefined || otherKeys.some((other) => other === key)) return [];
      const names = Object.keys(readings);
      const meaning = `${question}: ${names.join(' or ')}; absent: ${formOf ? `${names[0]}, and a survey finds out` : 'Sextant finds out'}`;
      return [[key, { check: oneOf(names), meaning }]];
    }),
  ) as Record<ReadingKey, KeyEntry<string>>),
  HEADERS_NOT_CHECKED: {
    check: uncheckedHeaders,
    meaning:
      'headers that the service accepts when they are missing, empty, wrong or another user’s, e.g. mm-client-id:wrong, mm-user-id:empty@evaluate; or none; absent: Sextant finds out',
  } as KeyEntry<ReadonlySet<string>>,
};

function uncheckedHeaders(value: string): Checked<ReadonlySet<string>> {
  if (value === 'none') return { value: new Set() };
  const given = partsOf(value);
  const names = Object.values(headers).flatMap(({ name, kind }) => (kind === 'credential' ? [] : [name.toLowerCase()]));
  const ways: readonly string[] = Object.values(headerChanges);
  const odd = given.find((part) => {
    const [, name = '', way = '', operation] = /^([^:@]+):([^:@]+)(?:@(\w+))?$/.exec(part) ?? [];
    const isCallable = operation === undefined || callableIds.includes(operation as CallableId);
    return !names.includes(name) || !ways.includes(way) || !isCallable;
  });
  if (odd === undefined) return { value: new Set(given) };
  return wrong(
    odd,
    `is not a header (${names.join(', ')}), a colon and one of ${ways.join(', ')}, optionally with @ and an operation; expected e.g. mm-client-id:wrong, or none`,
  );
}
