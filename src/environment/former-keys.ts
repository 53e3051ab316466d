import type { Fact } from '../facts/index.ts';
import { type CallableId, callableIds, headers, headersOf } from '../service/index.ts';
import { loadNow } from './late-modules.ts';

/** Checks a fact that a person may have written: returns its mistake, or `undefined` if there is none. */
export const factProblem = (fact: Fact): string | undefined => loadNow('questions').factProblem(fact);

interface Replaced {
  readonly question: string;
  /**
   * The operations that the key was about. If absent: all operations whose arguments have the form that `question` is about, e.g. all that
   * send a profile.
   */
  readonly of?: readonly CallableId[];
  /** Today's answer for each former value of the key. Absent if the answer is the former value itself. */
  readonly answers?: Readonly<Record<string, string>>;
}

/** The keys by which an environment's file answered open questions in the first version, each with the question whose fact replaces it. */
const formerKeys: Readonly<Record<string, Replaced>> = {
  TYPE_VERSION_MEANS: { question: 'type-version' },
  UNKNOWN_USERS_ARE: { question: 'unknown-user', of: ['block'] },
  REPORTS_AGAIN_ARE: { question: 'repeat', of: ['report'] },
  REPORT_CODES_AT_ONCE: { question: 'codes-at-once', of: ['report'] },
  FLAG_DEFAULT_IS: {
    question: 'default-fallback',
    of: ['evaluate'],
    answers: { returned: 'the default, unchanged', decides: 'on or off, as the default says' },
  },
  AVATARS_ARE: { question: 'avatar-form' },
  PROFILES_ARE: { question: 'profile-form' },
};

/**
 * A former key. It listed headers that the service accepts in a wrong state, for all operations or for one: `mm-client-id:wrong,
 * mm-user-id:empty@evaluate`.
 */
const HEADERS_NOT_CHECKED = 'HEADERS_NOT_CHECKED';

export const formerReadingKeys: readonly string[] = [...Object.keys(formerKeys), HEADERS_NOT_CHECKED];

/** The facts that replace a former key; `undefined` if the key's value can't be understood. */
export function factsOfKey(key: string, value: string, askedAt: string): Fact[] | undefined {
  const evidence = `converted from ${key}`;
  const { question, of, answers } = formerKeys[key] ?? {};
  const formOf = () => loadNow('questions').argumentForms.find((form) => form.question === question)?.of ?? [];
  const found =
    question !== undefined
      ? (of ?? formOf()).map((operation) => ({ question, operation, answer: answers?.[value] ?? value }))
      : answersOfHeaders(value);
  const facts = found?.map((each) => ({ ...each, evidence, askedAt }));
  return facts?.some((fact) => factProblem(fact) !== undefined) ? undefined : facts;
}

/** The question of a header, by the state of the header in HEADERS_NOT_CHECKED. */
const headerQuestions = {
  missing: (header: string) => `missing-header:${header}`,
  empty: (header: string) => `empty-header:${header}`,
  wrong: (header: string) => `wrong-header:${header}`,
  another: () => 'token-user',
} as const;

/** The answers in a value of HEADERS_NOT_CHECKED: a listed header is accepted, any other is refused. `none` is the empty list. */
function answersOfHeaders(value: string): Pick<Fact, 'question' | 'operation' | 'answer'>[] | undefined {
  const parts = value === 'none' ? [] : value.split(',').map((part) => part.trim());
  const accepted = parts.map((part) => /^([^:@]+):([^:@]+)(?:@(\w+))?$/.exec(part));
  if (accepted.includes(null)) return undefined;
  return callableIds.flatMap((operation) =>
    headersOf(operation)
      .filter((header) => headers[header].kind !== 'credential')
      .flatMap((header) =>
        Object.entries(headerQuestions)
          .filter(([way]) => way !== 'wrong' || headers[header].kind === 'id')
          .filter(
            ([way]) => way !== 'another' || (header === 'mm-user-id' && headersOf(operation).includes('authorization')),
          )
          .map(([way, question]) => {
            const isAccepted = accepted.some(
              (found) => found?.[1] === header && found[2] === way && (found[3] ?? operation) === operation,
            );
            const answer = isAccepted ? ['accepted', 'not tied'] : ['refused', 'tied'];
            return {
              question: question(headers[header].name),
              operation,
              answer: answer[way === 'another' ? 1 : 0] as string,
            };
          }),
      ),
  );
}
