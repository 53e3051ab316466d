import { type RequestSchemaName, requestSchemas } from '../../../schemas/index.ts';
import type { Facts } from '../../facts/index.ts';

/** The part of JSON Schema that request records use. */
export interface Shape {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly items?: Shape;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
}

/** Looks up answers about an operation; `undefined` for a question that the survey didn't decide. */
export const answersOf = (id: string, facts: Facts | undefined) => (question: string) =>
  facts?.of(question, id)?.answer;

const isRefused = (answer: string | undefined) => answer?.startsWith('refused') === true;

/** A documented request record as the operation accepts it: its required fields, and their allowed values. */
export function learnedRecord(id: string, request: RequestSchemaName, facts: Facts | undefined): Shape {
  const answer = answersOf(id, facts);
  const { $id: _, properties, required = [], ...rest }: Shape & { readonly $id?: string } = requestSchemas[request];
  const unknown = answer('unknown-field');
  const isRequired = (name: string) =>
    answer(`required-field:${name}`)?.startsWith('required') ?? required.includes(name);
  // The codes come from the options, so the fact of `reportOptions` lists them.
  const codes = isRefused(answer('unknown-code'))
    ? [...(facts ?? [])].find(({ question }) => question === 'report-codes')?.answer
    : undefined;
  const learned = (path: string, schema: Shape): Shape => {
    const allowed = /^(?!all|none)(.*); not /.exec(answer(`allowed-values:${path}`) ?? '')?.[1];
    const { items, properties: inner } = schema;
    return {
      ...schema,
      ...(allowed ? { enum: JSON.parse(`[${allowed}]`) } : {}),
      ...(inner ? { properties: all(inner, `${path}.`) } : {}),
      ...(items ? { items: learned(path, codes && items.type === 'string' ? withCodes(items, codes) : items) } : {}),
    };
  };
  const all = (fields: Readonly<Record<string, Shape>>, prefix = '') =>
    Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, learned(prefix + name, schema)]));
  return {
    ...rest,
    properties: all(properties ?? {}),
    required: Object.keys(properties ?? {}).filter(isRequired),
    ...(unknown === undefined ? {} : { additionalProperties: !isRefused(unknown) }),
  };
}

/** Limits the items to the codes of an answer: `A, B`, or `en: A, B; de: C` if they differ by language. */
function withCodes(items: Shape, answer: string): Shape {
  const codes = answer.split('; ').flatMap((text) => text.replace(/^.+?: /, '').split(', '));
  return { ...items, enum: [...new Set(codes)] };
}

/** The supported languages, if the service refuses an unknown one. */
export function learnedLanguages(id: string, facts: Facts | undefined): readonly string[] | undefined {
  const answer = answersOf(id, facts);
  const [, found] = /^(?!none)(.*) of \d+ tried$/.exec(answer('languages') ?? '') ?? [];
  return isRefused(answer('unknown-language')) ? found?.split(', ') : undefined;
}
