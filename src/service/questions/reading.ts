import type { Fact, Facts } from '../../engine/facts/index.ts';
import {
  type CallableId,
  callableIds,
  type HeaderName,
  headerChanges,
  headers,
  headersOf,
  type OpenQuestion,
  openQuestions,
  type QuestionId,
} from '../../spec/index.ts';

/** What a reading is asked for: a question, and its operation and header where it is about these. */
export interface Asked {
  readonly question: QuestionId;
  /** In lower case. */
  readonly header?: string;
  readonly operation?: string;
}

export interface KnownReading {
  readonly reading: string;
  /** `the facts of staging`. */
  readonly source: string;
}

/** The question and the operation of the fact that answers; `undefined` where no fact can. */
export function factAsked({ question, header, operation }: Asked): Pick<Fact, 'question' | 'operation'> | undefined {
  const { fact, by, formOf = [] }: OpenQuestion = openQuestions[question];
  const of = operation ?? by ?? formOf[0];
  if (!fact || of === undefined) return undefined;
  const isPerHeader = question in headerChanges && question !== 'headerOfAnother';
  if (isPerHeader && header === undefined) return undefined;
  const subject = isPerHeader ? `:${headers[header as HeaderName].name}` : '';
  return { question: `${fact.question}${subject}`, operation: of };
}

/** The reading that the facts of an environment state; `undefined` if they state none. */
export function readingOf(
  { name, facts }: { readonly name: string; readonly facts?: Facts },
  asked: Asked,
): KnownReading | undefined {
  const about = factAsked(asked);
  const known = about && facts?.of(about.question, about.operation);
  const { fact }: OpenQuestion = openQuestions[asked.question];
  if (!fact || !known) return undefined;
  const [reading] = Object.entries(fact.readings).find(([, pattern]) => pattern.test(known.answer)) ?? [];
  return reading === undefined ? undefined : { reading, source: `the facts of ${name}` };
}

/** The keys that stated readings in files of the first edition, each with the question that replaces it. */
const formerKeys: Readonly<Record<string, QuestionId>> = {
  TYPE_VERSION_MEANS: 'typeVersion',
  UNKNOWN_USERS_ARE: 'unknownUser',
  REPORTS_AGAIN_ARE: 'reportAgain',
  REPORT_CODES_AT_ONCE: 'reportCodes',
  FLAG_DEFAULT_IS: 'flagDefault',
  AVATARS_ARE: 'avatarForm',
  PROFILES_ARE: 'profileForm',
};

const FORMER_HEADERS = 'HEADERS_NOT_CHECKED';

export const formerReadingKeys: readonly string[] = [...Object.keys(formerKeys), FORMER_HEADERS];

/** The answer that a fact has for a reading. */
const answers: Partial<Record<QuestionId, Readonly<Record<string, string>>>> = {
  flagDefault: { returned: 'the default, unchanged', decides: 'on or off, as the default says' },
  headerOfAnother: { accepted: 'not tied', refused: 'tied' },
};

/** The facts that say what a former key said; `undefined` if it said nothing that can be understood. */
export function factsOfKey(key: string, value: string, today: string): Fact[] | undefined {
  const evidence = `taken over from ${key}`;
  const factOf = (asked: Asked, reading: string): Fact[] => {
    const about = factAsked(asked);
    return about ? [{ ...about, answer: answers[asked.question]?.[reading] ?? reading, evidence, askedAt: today }] : [];
  };
  if (key === FORMER_HEADERS) return factsOfHeaders(value, factOf);
  const question = formerKeys[key];
  if (!question || !(value in openQuestions[question].readings)) return undefined;
  const { formOf = [] }: OpenQuestion = openQuestions[question];
  const operations = formOf.length > 0 ? formOf : [undefined];
  return operations.flatMap((operation) => factOf({ question, ...(operation ? { operation } : {}) }, value));
}

/** `mm-client-id:wrong, mm-user-id:empty@evaluate`, or `none`: whatever isn't on the list is refused. */
function factsOfHeaders(value: string, factOf: (asked: Asked, reading: string) => Fact[]): Fact[] | undefined {
  const parts = value === 'none' ? [] : value.split(',').map((part) => part.trim());
  const accepted = parts.map((part) => /^([^:@]+):([^:@]+)(?:@(\w+))?$/.exec(part));
  if (accepted.includes(null)) return undefined;
  const isAccepted = (header: string, way: string, operation: CallableId) =>
    accepted.some((found) => found?.[1] === header && found[2] === way && (found[3] ?? operation) === operation);
  return callableIds.flatMap((operation) =>
    Object.entries(headerChanges).flatMap(([question, way]) =>
      headersOf(operation)
        .filter((header) => headers[header].kind !== 'credential')
        .filter(
          (header) => way !== 'another' || (header === 'mm-user-id' && headersOf(operation).includes('authorization')),
        )
        .filter((header) => way !== 'wrong' || headers[header].kind === 'id')
        .flatMap((header) => {
          const asked = { question: question as QuestionId, header, operation };
          return factOf(asked, isAccepted(header, way, operation) ? 'accepted' : 'refused');
        }),
    ),
  );
}
