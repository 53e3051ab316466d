import { rawBody, rawText } from '../../src/client/index.ts';
import { type Field, fieldsOf, nested, type Odd, withField } from '../../src/scenario/index.ts';
import { type Operation, operation, operationIds, pathParameters } from '../../src/spec/index.ts';

type OperationId = (typeof operationIds)[number];

/** One way to send an operation something odd; made of a valid request. */
export interface RobustnessCase {
  readonly operation: Operation & { readonly id: OperationId };
  readonly spoiling: string;
  /** What may come of it: an operation's own effect, and more where another method is tried. */
  readonly effect: Operation['effect'];
  readonly tries: (valid: unknown) => readonly Odd[];
}

/** Longer than any name or message, far below the size at which a body is refused unread. */
const VERY_LONG = 'long '.repeat(4_000);

const oddTexts = {
  'a NUL character': 'a\u0000b',
  'half a surrogate pair': 'a\ud800b',
  'astral and joined characters': '👩‍👩‍👧‍👦 𝔸 ﷽',
  'marks that turn the writing': '\u202eabc\u2066\ufeff\u2028',
};

const wrongTypes: Readonly<Record<Field['type'], readonly unknown[]>> = {
  string: [42, { a: 1 }, ['a']],
  integer: ['one', 1.5, {}],
  boolean: ['true', 1],
  array: ['a', { 0: 'a' }],
  object: ['a', [1]],
};

const empties: Partial<Record<Field['type'], unknown>> = { string: '', array: [], object: {} };

/** Every operation × every way to make its request odd (specification, part 2; it shows no errors, so all is assumed). */
export function robustnessCases(): RobustnessCase[] {
  return operationIds.flatMap((id) => {
    const entry = { ...operation(id), id };
    const own = entry.request ? bodyCases(fieldsOf(entry.request)) : pathCases(pathParameters(entry.path));
    const cases = Object.entries(own).map(([spoiling, tries]) => ({
      operation: entry,
      spoiling,
      effect: entry.effect,
      tries,
    }));
    return [...cases, wrongMethod(entry)];
  });
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
    'a field missing': each('missing', () => [undefined]),
    'a field of a wrong type': each('of a wrong type', ({ type }) => wrongTypes[type]),
    'a field that is null': each('null', () => [null]),
    'a field that is empty': each('empty', ({ type }) => (type in empties ? [empties[type]] : [])),
    'a very long text': each('very long', texts([VERY_LONG])),
    'odd Unicode': each('in odd Unicode', texts(Object.values(oddTexts))),
    'deep nesting': (valid) => [
      { what: 'a deep field that it does not know', args: deepExtra(valid) },
      { what: 'a deep body', args: rawText(nested(1_000)) },
    ],
    'fields that it does not know': (valid) => [
      { what: 'an extra field', args: rawBody({ ...(valid as object), extra: 'x' }) },
      { what: 'an extra record', args: rawBody({ ...(valid as object), extra: { a: [1] } }) },
      { what: 'a field called __proto__', args: rawText(`{"__proto__":{"a":1},${JSON.stringify(valid).slice(1)}`) },
    ],
    'a body that is no record': () => [
      ...[null, [], 'text', 42, true].map((body) => ({
        what: `the body ${JSON.stringify(body)}`,
        args: rawBody(body),
      })),
      { what: 'an empty body', args: rawText('') },
    ],
    'broken JSON': (valid) => [
      { what: 'a body that breaks off', args: rawText(JSON.stringify(valid).slice(0, -1)) },
      { what: 'a body with a trailing comma', args: rawText(`${JSON.stringify(valid).slice(0, -1)},}`) },
      { what: 'a body that is a form', args: rawText('a=1&b=2') },
    ],
    'a wrong content type': (valid) =>
      ['text/plain', 'application/xml', 'application/x-www-form-urlencoded', 'application/json; charset=utf-16'].map(
        (type) => ({ what: `the content type ${type}`, args: rawText(JSON.stringify(valid), type) }),
      ),
  };
}

function deepExtra(valid: unknown) {
  return rawText(`{"extra":${nested(1_000)},${JSON.stringify(valid).slice(1)}`);
}

function pathCases(names: readonly string[]): Cases {
  const oddSegments = [
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
  const odd =
    (values: readonly string[]): RobustnessCase['tries'] =>
    (valid) =>
      names.flatMap((name) =>
        values.map((value) => ({
          what: `${name} ${value.length > 40 ? 'very long' : JSON.stringify(value)}`,
          args: { ...(valid as object), [name]: value },
        })),
      );
  // Half a surrogate pair can't stand in a URL at all.
  const texts = Object.values(oddTexts).filter((text) => text.isWellFormed());
  return { 'odd path segments': odd(oddSegments), 'odd Unicode in the path': odd(texts) };
}

/** A method that is meant for reading, where there is one that isn't the right one. */
function wrongMethod(entry: RobustnessCase['operation']): RobustnessCase {
  const method = entry.method === 'GET' ? 'PATCH' : 'GET';
  return {
    operation: entry,
    spoiling: 'a wrong method',
    effect: method === 'GET' ? entry.effect : 'irreversible',
    tries: (valid) => [{ what: `the method ${method}`, args: valid, change: (call) => call.withMethod(method) }],
  };
}
