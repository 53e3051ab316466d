import { type ObservedOperation, type ObservedResponse, specifiedFor } from '../../client/index.ts';
import type { DescribedOperation, DescribedResponse } from '../../config/index.ts';
import type { Fact } from '../facts/fact.ts';
import type { KeptSurvey } from '../facts/survey-files.ts';
import { compareSurveys, type Difference, gravestFirst } from './index.ts';

/** An OpenAPI document with the operations that it describes. */
export interface Described {
  /** As the user named it. */
  readonly name: string;
  readonly operations: ReadonlyMap<string, DescribedOperation>;
}

export type Side = { readonly document: Described } | { readonly survey: KeptSurvey };

/** More samples than any inference asks for: what a document says is certain. */
const CERTAIN = Number.MAX_SAFE_INTEGER;

/** Every difference from `before` to `after`, one of which is a document. */
export function compareWithDocument(before: Side, after: Side): Difference[] {
  if ('document' in before && 'document' in after) return compareDocuments(before.document, after.document);
  const document = 'document' in before ? before.document : 'document' in after ? after.document : undefined;
  const survey = 'survey' in before ? before.survey : 'survey' in after ? after.survey : undefined;
  if (!document || !survey) throw new Error('neither side is a document');
  const isFirst = 'document' in before;
  const known = survey.answers.filter(({ operation }) => document.operations.has(operation));
  const observed: KeptSurvey = {
    ...survey,
    facts: survey.facts.filter(
      ({ operation, question }) => isRequiredField(question) && document.operations.has(operation),
    ),
    answers: known.map(withoutRefusedSuccesses),
  };
  const described = asSurvey(document, observed);
  const certain = { specified: isFirst ? 'before' : 'after' } as const;
  const found = isFirst ? compareSurveys(described, observed, certain) : compareSurveys(observed, described, certain);
  return gravestFirst([...unlisted(document, observed), ...found, ...notDescribed(document, survey)]);
}

/** The document in the form of a survey that was given the observed responses and was asked the observed questions. */
function asSurvey({ operations }: Described, observed: KeptSurvey): KeptSurvey {
  return {
    ...observed,
    facts: observed.facts.map((fact) => ({ ...fact, answer: requiredBy(operations.get(fact.operation), fact) })),
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
function asObserved({ content }: DescribedResponse, seen: ObservedResponse): ObservedResponse {
  if (!content || content.size === 0) return seen;
  const fits = (type: string | null, name: string) =>
    name === '*/*' || name === type || (name.endsWith('/*') && type?.startsWith(name.slice(0, -1)));
  const names = [...content.keys()];
  const covered = seen.contentTypes.filter((type) => names.some((name) => fits(type, name)));
  const name = names.find((each) => covered.some((type) => fits(type, each))) ?? names[0];
  const schema = name === undefined ? undefined : content.get(name);
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
function unlisted({ name, operations }: Described, { answers }: KeptSurvey): Difference[] {
  return answers.flatMap(({ operation, answers: seen }): Difference[] => {
    const responses = operations.get(operation)?.responses ?? new Map<string, DescribedResponse>();
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

function notDescribed({ name, operations }: Described, { facts, answers }: KeptSurvey): Difference[] {
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

function isRequiredField(question: string): boolean {
  return question.startsWith('required-field:');
}

function requiredBy(described: DescribedOperation | undefined, { question, answer }: Fact): string {
  if (!described?.required) return answer;
  const isRequired = described.required.includes(question.slice(question.indexOf(':') + 1));
  if (!isRequired) return 'optional';
  return answer.startsWith('required') ? answer : 'required';
}

function compareDocuments(before: Described, after: Described): Difference[] {
  const lost = [...before.operations.keys()].filter((operation) => !after.operations.has(operation));
  const both = [...before.operations].filter(([operation]) => after.operations.has(operation));
  const gone = lost.map((operation): Difference => ({ operation, impact: 'breaking', what: `not in ${after.name}` }));
  const found = both.flatMap(([operation, { responses, required = [] }]) => {
    const other = after.operations.get(operation) as DescribedOperation;
    const exact = [...responses].filter(([status]) => /^\d+$/.test(status));
    const seen = exact.map(([status, response]) => [status, asObserved(response, nothing)] as const);
    const survey = { ...empty, answers: [{ operation, answers: Object.fromEntries(seen) }] };
    const fields = (other.required ?? []).filter((name) => !required.includes(name));
    return [
      ...fields.map(
        (name): Difference => ({ operation, impact: 'breaking', what: `required-field:${name}: optional → required` }),
      ),
      ...exact
        .filter(([status]) => !specifiedFor(Number(status), other.responses))
        .map(([status]): Difference => {
          const impact = Number(status) < 400 ? 'breaking' : 'unknown';
          return { operation, impact, what: `response ${status}: not in ${after.name}` };
        }),
      ...compareSurveys(survey, asSurvey(after, survey), { specified: 'after' }),
    ];
  });
  return gravestFirst([...gone, ...found]);
}

const nothing: ObservedResponse = { contentTypes: [], samples: CERTAIN, observedAt: '', body: 'always' };
const empty: KeptSurvey = { environment: '', startedAt: '', durationMs: 0, requests: 0, facts: [], answers: [] };
