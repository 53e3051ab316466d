import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brokenBy, listDocument } from '../../testing/contract/contract-of-document.ts';

const text = { type: 'string' };
const entry = { type: 'object', properties: { userId: text }, required: ['userId'] };
const schemas = {
  Entry: entry,
  Tree: { type: 'object', properties: { next: { $ref: '#/components/schemas/Tree' }, id: { type: 'integer' } } },
  Cat: { type: 'object', properties: { kind: text, lives: { type: 'integer' } }, required: ['kind', 'lives'] },
  Dog: { type: 'object', properties: { kind: text, bark: text }, required: ['kind'] },
  Secret: { type: 'string', writeOnly: true },
  'odd~name/x': { type: 'integer' },
  Named: { $anchor: 'named', type: 'integer' },
  // Circular: Shape is one of two alternatives, and each alternative includes Shape.
  Shape: { oneOf: [{ $ref: '#/components/schemas/Circle' }, { $ref: '#/components/schemas/Square' }] },
  Circle: { allOf: [{ $ref: '#/components/schemas/Shape' }, { properties: { radius: { type: 'integer' } } }] },
  Square: { allOf: [{ $ref: '#/components/schemas/Shape' }, { properties: { side: { type: 'integer' } } }] },
  Loop: { $ref: '#/components/schemas/Knot' },
  Knot: { $ref: '#/components/schemas/Loop' },
};
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const pets = {
  oneOf: [ref('Cat'), ref('Dog')],
  discriminator: { propertyName: 'kind', mapping: { hound: '#/components/schemas/Dog', moggy: 'Cat' } },
};

/** The message about a value whose type is wrong. */
const isA = (found: string, specified: string, at = 'the body') => `${at} is ${found}, but ${specified} is specified`;

type Row = [schema: unknown, body: unknown, broken: string[]];

const earlier: Row[] = [
  [{ type: 'integer', format: 'int32' }, 3_000_000_000, ['the body is not in the format int32']],
  [{ ...text, nullable: true }, null, []],
  [{ ...text, enum: ['A'], nullable: true }, null, []],
  [{ ...ref('Entry'), nullable: true }, null, []],
  [{ ...ref('Entry'), nullable: true }, {}, ['the body fits none of the specified alternatives (/userId is missing)']],
  [{ allOf: [ref('Entry')], nullable: true }, null, []],
  [{ ...text, nullable: false }, null, [isA('null', 'string')]],
  [{ type: 'integer', minimum: 0, exclusiveMinimum: true }, 0, ['the body must be > 0']],
  [{ type: 'integer', minimum: 0, exclusiveMinimum: false }, 0, []],
  // OpenAPI 3.0 ignores keywords next to a $ref.
  [{ ...ref('Entry'), required: ['b'] }, { userId: 'a' }, []],
  [{ type: 'object', properties: { p: ref('Secret') }, required: ['p'] }, {}, []],
  // A schema that refers back to itself for the same value is ignored. The schemas around it are still checked.
  [ref('Shape'), { radius: 'x' }, []],
  [{ properties: { shape: ref('Circle'), id: text } }, { shape: {}, id: 1 }, [isA('number', 'string', '/id')]],
  // Because of the discriminator, the first value may fit both alternatives of the `oneOf`.
  [pets, { kind: 'Dog', lives: 9 }, []],
  [pets, { lives: 9 }, ['the body fits none of the specified alternatives (/kind is missing)']],
  // Keywords that don't constrain a value.
  [{ ...text, example: 5, xml: { name: 'x' }, externalDocs: { url: '' }, 'x-own': [] }, 'a', []],
  // Properties whose names are keywords of JSON Schema.
  [
    { type: 'object', properties: { nullable: { type: 'boolean' }, $ref: text, required: text } },
    { nullable: 1, $ref: 2, required: 3 },
    [isA('number', 'boolean', '/nullable'), isA('number', 'string', '/$ref'), isA('number', 'string', '/required')],
  ],
];

const current: Row[] = [
  [{ type: 'array', items: entry }, [{ userId: 'a' }], []],
  [{ type: 'array', items: entry }, [{}, {}], ['/*/userId is missing']],
  [entry, { userId: 1 }, [isA('number', 'string', '/userId')]],
  [entry, [], [isA('array', 'object')]],
  [{ ...entry, additionalProperties: false }, { userId: 'a', b: 1 }, ["/b isn't specified"]],
  [entry, { userId: 'a', b: 1 }, []],
  [{ enum: ['A', 'B'] }, 'C', ['the body is "C", but "A", "B" are specified']],
  [{ ...text, format: 'date-time' }, 'yesterday', ['the body is not in the format date-time']],
  // A format that the team defined.
  [{ ...text, format: 'phone-of-ours' }, 'anything', []],
  [{ ...text, pattern: '^\\p{L}+$' }, 'Zoë', []],
  // A pattern that Unicode mode refuses.
  [{ ...text, pattern: '^a\\_b$' }, 'a_b', []],
  // Patterns in other languages' dialects.
  [{ ...text, pattern: '\\A[a-z]+\\z' }, 'abc', []],
  [{ ...text, pattern: '\\A[a-z]+\\z' }, 'ab1', ['the body must match pattern "^[a-z]+$"']],
  [{ ...text, pattern: '\\A[a-z]+\\Z' }, 'abc\n', []],
  [{ ...text, pattern: '\\A[a-z]+\\Z' }, 'abc\nd', ['the body must match pattern "^[a-z]+(?=\\n?$)(?:\\n?)"']],
  [{ ...text, pattern: '/^.+$/' }, 'abc', []],
  [{ ...text, pattern: '/^[a-z]+$/i' }, 'ABC', []],
  [{ ...text, pattern: '/^[a-z]+$/' }, 'ABC', ['the body must match pattern "^[a-z]+$"']],
  [{ ...text, pattern: '(?i)^on$' }, 'ON', []],
  [{ ...text, pattern: '(?i)^on$' }, 'off', ['the body must match pattern "(?i:^on$)"']],
  [{ ...text, pattern: '^(?P<year>\\d{4})$' }, '26', ['the body must match pattern "^(?<year>\\d{4})$"']],
  // The slashes of a path are not delimiters.
  [{ ...text, pattern: '/v1/.*/' }, 'see /v1/a/b', []],
  [{ ...text, pattern: '/v1/.*/' }, 'v1', ['the body must match pattern "/v1/.*/"']],
  // Patterns that JavaScript can't read, or reads differently, are ignored.
  ...['a++', '(?>a|b)c', '^[[:alpha:]]+$', '^\\h+$', '(?x) a # b', '(', 'a\\Ab'].map(
    (pattern): Row => [{ ...text, pattern }, '!', []],
  ),
  [{ type: 'object', patternProperties: { '^[[:alpha:]]+$': text }, additionalProperties: false }, { '!': 1 }, []],
  [{ type: 'object', patternProperties: { '\\Ax-': text } }, { 'x-a': 1 }, [isA('number', 'string', '/x-a')]],
  [{ type: ['string', 'null'] }, null, []],
  [text, null, [isA('null', 'string')]],
  [{ type: 'integer', exclusiveMaximum: 5 }, 5, ['the body must be < 5']],
  // Unlike OpenAPI 3.0, OpenAPI 3.1 respects keywords next to a $ref.
  [{ ...ref('Entry'), required: ['b'] }, { userId: 'a' }, ['/b is missing']],
  [ref('Tree'), { next: { next: { id: 'x' } } }, [isA('string', 'integer', '/next/next/id')]],
  [{ $ref: '#/components/schemas/odd~0name~1x' }, 'x', [isA('string', 'integer')]],
  [{ $ref: '#/components/schemas/odd~0name~1x'.replace('name', '%6Eame') }, 1, []],
  [{ $ref: '#named' }, 'x', [isA('string', 'integer')]],
  [{ ...ref('Shape'), required: ['id'] }, {}, ['/id is missing']],
  [{ allOf: [ref('Loop')], required: ['id'] }, {}, ['/id is missing']],
  // A circular schema is ignored: it accepts every value. Keywords such as `oneOf` and `not` must not refuse a value only for this reason.
  [{ oneOf: [ref('Shape'), text] }, 'x', []],
  [{ oneOf: [{ items: ref('Shape') }, { type: 'array' }], items: text }, [1], [isA('number', 'string', '/*')]],
  [{ items: { not: ref('Square') } }, [{}], []],
  [
    Object.fromEntries([
      ['if', ref('Square')],
      ['then', { required: ['id'] }],
    ]),
    {},
    [],
  ],
  [{ allOf: [ref('Circle')], unevaluatedProperties: false }, { radius: 1 }, []],
  // A response omits writeOnly properties, but not readOnly ones.
  [{ type: 'object', properties: { p: { ...text, writeOnly: true } }, required: ['p'] }, {}, []],
  [{ allOf: [{ properties: { p: ref('Secret') } }, { required: ['p'] }] }, {}, []],
  [{ type: 'object', properties: { p: { ...text, readOnly: true } }, required: ['p'] }, {}, ['/p is missing']],
  [
    { oneOf: [text, { type: 'integer' }] },
    true,
    ['the body fits none of the specified alternatives (the body is boolean, but string is specified)'],
  ],
  [
    { oneOf: [text, { maxLength: 3 }] },
    'a',
    ['the body fits more than one of the alternatives of which one is specified'],
  ],
  [{ oneOf: [entry, text], discriminator: { propertyName: 'userId' } }, 'a', []],
  [true, 5, []],
  [{ properties: { a: false } }, { a: 1 }, ['/a must not be there']],
];

test('a pattern that takes for ever says so', () => {
  const document = listDocument({ ...text, pattern: '^(a+)+$' });
  assert.throws(
    () => brokenBy({ 'openapi.yaml': document }, `${'a'.repeat(60)}!`),
    /could not be checked against .*openapi\.yaml#.*schema within 2 s; correct the pattern/,
  );
});

for (const [version, all] of [
  ['3.0.3', earlier],
  ['3.1.0', current],
] as const)
  for (const [schema, body, broken] of all)
    test(`${version}: ${JSON.stringify(body)} by ${JSON.stringify(schema)}`, () => {
      const document = { ...listDocument(schema, { components: { schemas } }), openapi: version };
      assert.deepEqual(brokenBy({ 'openapi.yaml': document }, body), broken);
    });
