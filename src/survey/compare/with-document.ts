import {
  type ObservedOperation,
  type ObservedResponse,
  type SpecifiedOperation,
  type SpecifiedResponse,
  specifiedFor,
} from '../../client/index.ts';
import { type Fact, Facts } from '../../engine/facts/index.ts';
import { compareSurveys, type Difference, gravestFirst } from './index.ts';
import type { Learned } from './learned.ts';

export interface Described {
  /** As the user named it. */
  readonly name: string;
  readonly operations: ReadonlyMap<string, SpecifiedOperation>;
}

/** More samples than any inference asks for: what a document says is certain. */
const CERTAIN = Number.MAX_SAFE_INTEGER;

/**
 * Every difference between a document and a survey, by its impact on a consumer of the document, or of what the survey found if that
 * is what consumers rely on.
 */
export function compareWithDocument(
  document: Described,
  survey: Learned,
  reliesOn: 'document' | 'survey' = 'document',
): Difference[] {
  const known = survey.answers.filter(({ operation }) => document.operations.has(operation));
  const observed: Learned = {
    facts: new Facts(
      [...survey.facts].filter(
        ({ operation, question }) => question.startsWith('required-field:') && document.operations.has(operation),
      ),
    ),
    answers: known.map(withoutRefusedSuccesses),
  };
  const described = asSurvey(document, observed);
  const found =
    reliesOn === 'document'
      ? compareSurveys(described, observed, { specified: 'before' })
      : compareSurveys(observed, described, { specified: 'after' });
  return gravestFirst([...unlisted(document, observed), ...found, ...notDescribed(document, survey)]);
}

/** The document in the form of a survey that was given the observed responses and was asked the observed questions. */
function asSurvey({ operations }: Described, observed: Learned): Learned {
  return {
    facts: new Facts(
      Array.from(observed.facts, (fact) => ({ ...fact, answer: requiredBy(operations.get(fact.operation), fact) })),
    ),
    answers: observed.answers.map(({ operation, answers }) => ({
      operation,
      answers: Object.fromEntries(
        Object.entries(answers).flatMap(([kind, seen]) => {
          const response = specifiedFor(Number.parseInt(kind, 10), operations.get(operation)?.responses ?? new Map());
          return response ? [[kind, asObserved(response, seen)]] : [];
        }),
      ),
    })),
  };
}

/** What the document says where it says something, and what was observed where it doesn't. */
function asObserved({ content }: SpecifiedResponse, seen: ObservedResponse): ObservedResponse {
  if (!content || content.size === 0) return seen;
  const fits = (type: string | null, name: string) =>
    name === '*/*' || name === type || (name.endsWith('/*') && type?.startsWith(name.slice(0, -1)));
  const names = [...content.keys()];
  const covered = seen.contentTypes.filter((type) => names.some((name) => fits(type, name)));
  const name = names.find((each) => covered.some((type) => fits(type, each))) ?? names[0];
  const schema = name === undefined ? undefined : content.get(name)?.certain?.();
  const { schema: _, ...rest } = seen;
  return {
    ...rest,
    samples: CERTAIN,
    contentTypes: covered.length > 0 ? covered : names,
    // Only of JSON a document says more than that there is a body.
    ...(schema && name?.includes('json') ? { body: 'always', schema } : {}),
  };
}

/** Successes on one side alone. An error that isn't listed need not be, and one that wasn't provoked may exist. */
function unlisted({ name, operations }: Described, { answers }: Learned): Difference[] {
  return answers.flatMap(({ operation, answers: seen }): Difference[] => {
    const responses = operations.get(operation)?.responses ?? new Map<string, SpecifiedResponse>();
    const listed = [...responses.keys()].join(', ') || 'none';
    const statuses = [...new Set(Object.keys(seen).map((kind) => Number.parseInt(kind, 10)))];
    const strange = statuses.filter((status) => !specifiedFor(status, responses));
    const hasSuccess = statuses.some((status) => status < 400);
    const never = [...responses.keys()].filter(
      (status) => /^2\d\d$/.test(status) && !statuses.includes(Number(status)),
    );
    const observed = (impact: Difference['impact'], isIt: (status: number) => boolean): Difference[] => {
      const found = strange.filter(isIt).join(', ');
      return found ? [{ operation, impact, what: `response ${found}: observed, but ${name} lists ${listed}` }] : [];
    };
    return [
      ...observed('breaking', (status) => status < 400),
      ...observed('unknown', (status) => status >= 400),
      ...(hasSuccess ? never : []).map((status): Difference => {
        return { operation, impact: 'unknown', what: `response ${status}: in ${name}, but never observed` };
      }),
    ];
  });
}

function notDescribed({ name, operations }: Described, { facts, answers }: Learned): Difference[] {
  const seen = new Set([...facts, ...answers].map(({ operation }) => operation));
  return [...seen]
    .filter((operation) => !operations.has(operation))
    .map((operation) => ({ operation, impact: 'unknown', what: `observed, but not in ${name}` }));
}

/** `200 refused`, under SUCCESS_WHEN, has the status of the success and another body; documents describe the success. */
function withoutRefusedSuccesses({ operation, answers }: ObservedOperation): ObservedOperation {
  const kept = Object.entries(answers).filter(
    ([kind]) => !kind.includes(' ') || !((kind.split(' ')[0] as string) in answers),
  );
  return { operation, answers: Object.fromEntries(kept) };
}

function requiredBy(specified: SpecifiedOperation | undefined, { question, answer }: Fact): string {
  const record = specified?.requestBody?.content.get('application/json')?.certain?.();
  if (!record) return answer;
  if (!record.required?.includes(question.slice(question.indexOf(':') + 1))) return 'optional';
  return answer.startsWith('required') ? answer : 'required';
}
