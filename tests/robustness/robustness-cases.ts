import { rawBody, rawText } from '../../src/call/index.ts';
import { type Field, fieldsOf, type InvalidInput, withField } from '../../src/scenario/index.ts';
import {
  type CallableId,
  type Operation,
  operation,
  operationIds,
  pathParameters,
  readProfile,
} from '../../src/service/index.ts';

/** One way to make a valid request of an operation invalid. */
export interface RobustnessCase {
  readonly operation: Omit<Operation, 'method' | 'path'> & { readonly id: CallableId };
  readonly mistake: string;
  /** The possible effect: that of the operation, or a stronger one if another method is tried. */
  readonly effect: Operation['effect'];
  readonly tries: (valid: unknown) => readonly InvalidInput[];
}

/** Longer than any name or message, but far below the size limit of a body. */
const VERY_LONG = 'long '.repeat(4_000);

/** Valid JSON, nested deeper than any record. */
const DEEP = '['.repeat(1_000) + ']'.repeat(1_000);

const unusualTexts = {
  'a NUL character': 'a\u0000b',
  'half a surrogate pair': 'a\ud800b',
  'astral and joined characters': '👩‍👩‍👧‍👦 𝔸 ﷽',
  'marks that change the writing direction': '\u202eabc\u2066\ufeff\u2028',
};

/** Characters that end a text in SQL, in a shell, in a template, or in JSON that is put together from texts. */
const QUOTES = `a'b"c\\d\`e; -- {{f}} <g>&amp;%s`;

const wrongTypes: Readonly<Record<Field['type'], readonly unknown[]>> = {
  string: [42, { a: 1 }, ['a']],
  integer: ['one', 1.5, {}],
  boolean: ['true', 1],
  array: ['a', { 0: 'a' }],
  object: ['a', [1]],
};

const empties: Partial<Record<Field['type'], unknown>> = { string: '', array: [], object: {} };

/**
 * Returns a case for every operation × every way to make its request invalid (specification, part 2). The specification shows no errors, so every
 * expectation is assumed.
 */
export function robustnessCases(): RobustnessCase[] {
  return [
    ...operationIds.flatMap((id) => {
      const entry = { ...operation(id), id };
      const own = entry.request ? bodyCases(fieldsOf(entry.request)) : pathCases(pathParameters(entry.path));
      return [...casesOf(entry, own), wrongMethod(entry)];
    }),
    ...casesOf(readProfile, pathCases(['userId'])),
  ];
}

function casesOf(entry: RobustnessCase['operation'], cases: Cases): RobustnessCase[] {
  return Object.entries(cases).map(([mistake, tries]) => ({ operation: entry, mistake, effect: entry.effect, tries }));
}

type Cases = Readonly<Record<string, RobustnessCase['tries']>>;

function bodyCases(fields: readonly Field[]): Cases {
  const each =
    (what: string, values: (field: Field) => readonly unknown[]): RobustnessCase['tries'] =>
    (valid) =>
      fields.flatMap((field) =>
        values(field).map((value) => ({
          what: `${field.path.join('.')} ${what}`,
          args: rawBody(withField(valid, field.path, value)),
        })),
      );
  const texts = (values: readonly unknown[]) => (field: Field) => (field.type === 'string' ? values : []);
  return {
    'a missing field': each('missing', () => [undefined]),
    'a field of the wrong type': each('of a wrong type', ({ type }) => wrongTypes[type]),
    'a null field': each('null', () => [null]),
    'an empty field': each('empty', ({ type }) => (type in empties ? [empties[type]] : [])),
    'a very long text': each('very long', texts([VERY_LONG])),
    'unusual Unicode': each('in unusual Unicode', texts(Object.values(unusualTexts))),
    'quotes in a text': each('with quotes', texts([QUOTES])),
    'deep nesting': (valid) => [
      { what: 'a deep unknown field', args: rawText(`{"extra":${DEEP},${JSON.stringify(valid).slice(1)}`) },
      { what: 'a deep body', args: rawText(DEEP) },
    ],
    'unknown fields': (valid) => [
      { what: 'an extra field', args: rawBody({ ...(valid as object), extra: 'x' }) },
      { what: 'an extra record', args: rawBody({ ...(valid as object), extra: { a: [1] } }) },
      { what: 'a field called __proto__', args: rawText(`{"__proto__":{"a":1},${JSON.stringify(valid).slice(1)}`) },
    ],
    'a body that is not an object': () => [
      ...[null, [], 'text', 42, true].map((body) => ({
        what: `the body ${JSON.stringify(body)}`,
        args: rawBody(body),
      })),
      { what: 'an empty body', args: rawText('') },
    ],
    'malformed JSON': (valid) => [
      { what: 'a truncated body', args: rawText(JSON.stringify(valid).slice(0, -1)) },
      { what: 'a body with a trailing comma', args: rawText(`${JSON.stringify(valid).slice(0, -1)},}`) },
      { what: 'a form as body', args: rawText('a=1&b=2') },
    ],
    'a wrong content type': (valid) =>
      ['text/plain', 'application/xml', 'application/x-www-form-urlencoded', 'application/json; charset=utf-16'].map(
        (type) => ({ what: `the content type ${type}`, args: rawText(JSON.stringify(valid), type) }),
      ),
  };
}

function pathCases(names: readonly string[]): Cases {
  const invalidSegments = [
    'abc',
    '-1',
    '1.5',
    '9'.repeat(30),
    "1' OR '1'='1",
    '1;drop',
    ' ',
    '%00',
    '{}',
    'x'.repeat(1_000),
  ];
  const casesFor =
    (values: readonly string[]): RobustnessCase['tries'] =>
    (valid) =>
      names.flatMap((name) =>
        values.map((value) => ({
          what: `${name} ${value.length > 40 ? 'very long' : JSON.stringify(value)}`,
          args: { ...(valid as object), [name]: value },
        })),
      );
  // A URL can't contain a lone surrogate, so texts that have one are left out.
  const texts = Object.values(unusualTexts).filter((text) => text.isWellFormed());
  return { 'invalid path segments': casesFor(invalidSegments), 'unusual Unicode in the path': casesFor(texts) };
}

/** A case with another method than the documented one, preferably one that reads. */
function wrongMethod(entry: Operation & { readonly id: CallableId }): RobustnessCase {
  const method = entry.method === 'GET' ? 'PATCH' : 'GET';
  return {
    operation: entry,
    mistake: 'a wrong method',
    effect: method === 'GET' ? entry.effect : 'irreversible',
    tries: (valid) => [{ what: `the method ${method}`, args: valid, change: (call) => call.withMethod(method) }],
  };
}
