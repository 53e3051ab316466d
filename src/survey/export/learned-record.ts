import { type RequestSchemaName, requestSchemas } from '../../../schemas/index.ts';
import type { Facts } from '../../facts/index.ts';

/** The keywords of JSON Schema that the records of requests use. */
export interface Shape {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly items?: Shape;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
}

/**
 * Returns a function that looks up the answer to a question about an operation. It returns `undefined` if no survey has answered the
 * question.
 */
export const answersOf = (id: string, facts: Facts | undefined) => (question: string) =>
  facts?.of(question, id)?.answer;

const isRefused = (answer: string | undefined) => answer?.startsWith('refused') === true;

/** A documented record, changed to what the operation really accepts: its required fields and their allowed values. */
export function learnedRecord(id: string, request: RequestSchemaName, facts: Facts | undefined): Shape {
  const answer = answersOf(id, facts);
  const { $id: _, properties, required = [], ...rest }: Shape & { readonly $id?: string } = requestSchemas[request];
  const unknown = answer('unknown-field');
  const isRequired = (name: string) =>
    answer(`required-field:${name}`)?.startsWith('required') ?? required.includes(name);
  // The fact about `reportOptions` lists the codes of a report, because an app takes these codes from the report options.
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

/** Allows only the codes of an answer as items. An answer is `A, B`, or `en: A, B; de: C` if the codes differ by language. */
function withCodes(items: Shape, answer: string): Shape {
  const codes = answer.split('; ').flatMap((text) => text.replace(/^.+?: /, '').split(', '));
  return { ...items, enum: [...new Set(codes)] };
}

/** The languages that a survey found. `undefined` if the service accepts unknown languages, too. */
export function learnedLanguages(id: string, facts: Facts | undefined): readonly string[] | undefined {
  const answer = answersOf(id, facts);
  const [, found] = /^(?!none)(.*) of \d+ tried$/.exec(answer('languages') ?? '') ?? [];
  return isRefused(answer('unknown-language')) ? found?.split(', ') : undefined;
}
