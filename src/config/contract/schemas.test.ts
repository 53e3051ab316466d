import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brokenBy, listDocument } from '../../testing/contract/contract-of-document.ts';

const text = { type: 'string' };
const entry = { type: 'object', properties: { userId: text }, required: ['userId'] };
const schemas = {
  Entry: entry,
  Anchored: { ...entry, $anchor: 'user' },
  Tree: { type: 'object', properties: { next: { $ref: '#/components/schemas/Tree' }, id: { type: 'integer' } } },
  Cat: { type: 'object', properties: { kind: text, lives: { type: 'integer' } }, required: ['kind', 'lives'] },
  Dog: { type: 'object', properties: { kind: text, bark: text }, required: ['kind'] },
  Secret: { type: 'string', writeOnly: true },
  'odd~name/x': { type: 'integer' },
};
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const pets = {
  oneOf: [ref('Cat'), ref('Dog')],
  discriminator: { propertyName: 'kind', mapping: { hound: '#/components/schemas/Dog', moggy: 'Cat' } },
};

/** What is said of a value of another type. */
const isA = (found: string, specified: string, at = 'the body') => `${at} is ${found}, but ${specified} is specified`;

type Row = [name: string, schema: unknown, body: unknown, broken: string[]];

const earlier: Row[] = [
  ['a format of OpenAPI', { type: 'integer', format: 'int32' }, 3_000_000_000, ['the body is not in the format int32']],
  ['nullable', { ...text, nullable: true }, null, []],
  ['nullable and an enum', { ...text, enum: ['A'], nullable: true }, null, []],
  ['nullable beside a $ref', { ...ref('Entry'), nullable: true }, null, []],
  [
    'nullable beside a $ref, and something else',
    { ...ref('Entry'), nullable: true },
    {},
    ['the body fits none of the specified alternatives (/userId is missing)'],
  ],
  ['nullable with allOf', { allOf: [ref('Entry')], nullable: true }, null, []],
  ['nullable, not so', { ...text, nullable: false }, null, [isA('null', 'string')]],
  ['an exclusive minimum', { type: 'integer', minimum: 0, exclusiveMinimum: true }, 0, ['the body must be > 0']],
  ['an inclusive minimum', { type: 'integer', minimum: 0, exclusiveMinimum: false }, 0, []],
  ['keywords beside a $ref: they are ignored', { ...ref('Entry'), required: ['b'] }, { userId: 'a' }, []],
  ['writeOnly behind a $ref', { type: 'object', properties: { p: ref('Secret') }, required: ['p'] }, {}, []],
  ['a discriminator chooses', pets, { kind: 'Dog', lives: 9 }, []],
  ['a discriminator chooses by its mapping', pets, { kind: 'moggy' }, ['/lives is missing']],
  [
    'an example says nothing',
    { ...text, example: 5, xml: { name: 'x' }, externalDocs: { url: '' }, 'x-own': [] },
    'a',
    [],
  ],
  [
    'a property that is called like a keyword',
    { type: 'object', properties: { nullable: { type: 'boolean' }, $ref: text, required: text } },
    { nullable: 1, $ref: 2, required: 3 },
    [isA('number', 'boolean', '/nullable'), isA('number', 'string', '/$ref'), isA('number', 'string', '/required')],
  ],
];

const current: Row[] = [
  ['a body as specified', { type: 'array', items: entry }, [{ userId: 'a' }], []],
  ['a missing field', { type: 'array', items: entry }, [{}, {}], ['/*/userId is missing']],
  ['another type', entry, { userId: 1 }, [isA('number', 'string', '/userId')]],
  ['another body', entry, [], [isA('array', 'object')]],
  [
    'a field too many, where others are closed',
    { ...entry, additionalProperties: false },
    { userId: 'a', b: 1 },
    ["/b isn't specified"],
  ],
  ['a field too many, where they are open', entry, { userId: 'a', b: 1 }, []],
  ['a value that is not in the list', { enum: ['A', 'B'] }, 'C', ['the body is "C", but "A", "B" are specified']],
  ['a format', { ...text, format: 'date-time' }, 'yesterday', ['the body is not in the format date-time']],
  ['a format of the team’s own', { ...text, format: 'phone-of-ours' }, 'anything', []],
  ['a pattern', { ...text, pattern: '^\\p{L}+$' }, 'Zoë', []],
  ['a pattern that Unicode mode refuses', { ...text, pattern: '^a\\_b$' }, 'a_b', []],
  ['null', { type: ['string', 'null'] }, null, []],
  ['null, not allowed', text, null, [isA('null', 'string')]],
  ['an exclusive maximum', { type: 'integer', exclusiveMaximum: 5 }, 5, ['the body must be < 5']],
  ['keywords beside a $ref: they count', { ...ref('Entry'), required: ['b'] }, { userId: 'a' }, ['/b is missing']],
  ['a circle', ref('Tree'), { next: { next: { id: 'x' } } }, [isA('string', 'integer', '/next/next/id')]],
  ['a name with ~ and /', { $ref: '#/components/schemas/odd~0name~1x' }, 'x', [isA('string', 'integer')]],
  ['an encoded reference', { $ref: '#/components/schemas/odd~0name~1x'.replace('name', '%6Eame') }, 1, []],
  [
    'writeOnly and required: not in a response',
    { type: 'object', properties: { p: { ...text, writeOnly: true } }, required: ['p'] },
    {},
    [],
  ],
  [
    'writeOnly in another part of allOf',
    { allOf: [{ properties: { p: ref('Secret') } }, { required: ['p'] }] },
    {},
    [],
  ],
  [
    'readOnly and required: in a response, too',
    { type: 'object', properties: { p: { ...text, readOnly: true } }, required: ['p'] },
    {},
    ['/p is missing'],
  ],
  [
    'oneOf',
    { oneOf: [text, { type: 'integer' }] },
    true,
    ['the body fits none of the specified alternatives (the body is boolean, but string is specified)'],
  ],
  [
    'oneOf that fits twice',
    { oneOf: [text, { maxLength: 3 }] },
    'a',
    ['the body fits more than one of the alternatives of which one is specified'],
  ],
  ['a discriminator without its value', pets, {}, ['/kind is missing']],
  [
    'a discriminator with another value',
    pets,
    { kind: 'Cow' },
    ['/kind is "Cow", but "moggy", "Cat", "hound", "Dog" are specified'],
  ],
  [
    'a discriminator among schemas without a name',
    { oneOf: [entry, text], discriminator: { propertyName: 'userId' } },
    'a',
    [],
  ],
  [
    'a tuple in the old form',
    { type: 'array', items: [text, { type: 'integer' }] },
    ['a', 'b'],
    [isA('string', 'integer', '/*')],
  ],
  ['an anchor', { $ref: '#user' }, {}, ['/userId is missing']],
  ['true accepts anything', true, 5, []],
  ['false accepts nothing', { properties: { a: false } }, { a: 1 }, ['/a must not be there']],
];

for (const [version, all] of [
  ['3.0.3', earlier],
  ['3.1.0', current],
] as const)
  for (const [name, schema, body, broken] of all)
    test(`${name} (${version})`, () => {
      const document = { ...listDocument(schema, { components: { schemas } }), openapi: version };
      assert.deepEqual(brokenBy({ 'openapi.yaml': document }, body), broken);
    });
