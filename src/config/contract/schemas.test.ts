import assert from 'node:assert/strict';
import { test } from 'node:test';
import { responseBreaches } from '../../client/contract/breaches.ts';
import { contractOfFiles, listDocument } from '../../testing/contract/contract-of-document.ts';
import { fakeResponse } from '../../testing/contract/fake-response.ts';

const text = { type: 'string' };
const entry = { type: 'object', properties: { userId: text }, required: ['userId'] };
const components = {
  components: {
    schemas: {
      Entry: entry,
      Tree: { type: 'object', properties: { next: { $ref: '#/components/schemas/Tree' }, id: { type: 'integer' } } },
      Cat: { type: 'object', properties: { kind: text, lives: { type: 'integer' } }, required: ['kind', 'lives'] },
      Dog: { type: 'object', properties: { kind: text, bark: text }, required: ['kind'] },
      Secret: { type: 'string', writeOnly: true },
      'odd~name/x': { type: 'integer' },
    },
  },
};
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const pets = {
  oneOf: [ref('Cat'), ref('Dog')],
  discriminator: { propertyName: 'kind', mapping: { hound: '#/components/schemas/Dog', moggy: 'Cat' } },
};

type Row = [name: string, version: '3.0.3' | '3.1.0', schema: unknown, body: unknown, broken: string[]];

const rows: Row[] = [
  ['a body as specified', '3.1.0', { type: 'array', items: entry }, [{ userId: 'a' }], []],
  ['a missing field', '3.1.0', { type: 'array', items: entry }, [{}, {}], ['/*/userId is missing']],
  ['another type', '3.1.0', entry, { userId: 1 }, ['/userId is number, but string is specified']],
  ['another body', '3.1.0', entry, [], ['the body is array, but object is specified']],
  [
    'a field too many, where others are closed',
    '3.1.0',
    { ...entry, additionalProperties: false },
    { userId: 'a', b: 1 },
    ["/b isn't specified"],
  ],
  ['a field too many, where they are open', '3.1.0', entry, { userId: 'a', b: 1 }, []],
  [
    'a value that is not in the list',
    '3.1.0',
    { enum: ['A', 'B'] },
    'C',
    ['the body is "C", but "A", "B" are specified'],
  ],
  ['a format', '3.1.0', { ...text, format: 'date-time' }, 'yesterday', ['the body is not in the format date-time']],
  ['a format of the team’s own', '3.1.0', { ...text, format: 'phone-of-ours' }, 'anything', []],
  [
    'a format of OpenAPI',
    '3.0.3',
    { type: 'integer', format: 'int32' },
    3_000_000_000,
    ['the body is not in the format int32'],
  ],
  ['a pattern', '3.1.0', { ...text, pattern: '^\\p{L}+$' }, 'Zoë', []],
  ['a pattern that Unicode mode refuses', '3.1.0', { ...text, pattern: '^a\\_b$' }, 'a_b', []],
  ['null, 3.1', '3.1.0', { type: ['string', 'null'] }, null, []],
  ['null, 3.1, not allowed', '3.1.0', text, null, ['the body is null, but string is specified']],
  ['nullable, 3.0', '3.0.3', { ...text, nullable: true }, null, []],
  ['nullable and an enum, 3.0', '3.0.3', { ...text, enum: ['A'], nullable: true }, null, []],
  ['nullable beside a $ref, 3.0', '3.0.3', { ...ref('Entry'), nullable: true }, null, []],
  [
    'nullable beside a $ref, and something else, 3.0',
    '3.0.3',
    { ...ref('Entry'), nullable: true },
    {},
    ['the body fits none of the specified alternatives (/userId is missing)'],
  ],
  ['nullable with allOf, 3.0', '3.0.3', { allOf: [ref('Entry')], nullable: true }, null, []],
  ['nullable, not so', '3.0.3', { ...text, nullable: false }, null, ['the body is null, but string is specified']],
  [
    'an exclusive minimum, 3.0',
    '3.0.3',
    { type: 'integer', minimum: 0, exclusiveMinimum: true },
    0,
    ['the body must be > 0'],
  ],
  ['an inclusive minimum, 3.0', '3.0.3', { type: 'integer', minimum: 0, exclusiveMinimum: false }, 0, []],
  ['an exclusive maximum, 3.1', '3.1.0', { type: 'integer', exclusiveMaximum: 5 }, 5, ['the body must be < 5']],
  ['keywords beside a $ref, 3.0: they are ignored', '3.0.3', { ...ref('Entry'), required: ['b'] }, { userId: 'a' }, []],
  [
    'keywords beside a $ref, 3.1: they count',
    '3.1.0',
    { ...ref('Entry'), required: ['b'] },
    { userId: 'a' },
    ['/b is missing'],
  ],
  [
    'a circle',
    '3.1.0',
    ref('Tree'),
    { next: { next: { id: 'x' } } },
    ['/next/next/id is string, but integer is specified'],
  ],
  [
    'a name with ~ and /',
    '3.1.0',
    { $ref: '#/components/schemas/odd~0name~1x' },
    'x',
    ['the body is string, but integer is specified'],
  ],
  ['an encoded reference', '3.1.0', { $ref: '#/components/schemas/odd~0name~1x'.replace('name', '%6Eame') }, 1, []],
  [
    'writeOnly and required: not in a response',
    '3.1.0',
    { type: 'object', properties: { p: { ...text, writeOnly: true } }, required: ['p'] },
    {},
    [],
  ],
  ['writeOnly behind a $ref', '3.0.3', { type: 'object', properties: { p: ref('Secret') }, required: ['p'] }, {}, []],
  [
    'writeOnly in another part of allOf',
    '3.1.0',
    { allOf: [{ properties: { p: ref('Secret') } }, { required: ['p'] }] },
    {},
    [],
  ],
  [
    'readOnly and required: in a response, too',
    '3.1.0',
    { type: 'object', properties: { p: { ...text, readOnly: true } }, required: ['p'] },
    {},
    ['/p is missing'],
  ],
  [
    'oneOf',
    '3.1.0',
    { oneOf: [text, { type: 'integer' }] },
    true,
    ['the body fits none of the specified alternatives (the body is boolean, but string is specified)'],
  ],
  [
    'oneOf that fits twice',
    '3.1.0',
    { oneOf: [text, { maxLength: 3 }] },
    'a',
    ['the body fits more than one of the alternatives of which one is specified'],
  ],
  ['a discriminator chooses', '3.0.3', pets, { kind: 'Dog', lives: 9 }, []],
  ['a discriminator chooses by its mapping', '3.0.3', pets, { kind: 'moggy' }, ['/lives is missing']],
  ['a discriminator without its value', '3.1.0', pets, {}, ['/kind is missing']],
  [
    'a discriminator with another value',
    '3.1.0',
    pets,
    { kind: 'Cow' },
    ['/kind is "Cow", but "moggy", "Cat", "hound", "Dog" are specified'],
  ],
  [
    'a discriminator among schemas without a name',
    '3.1.0',
    { oneOf: [entry, text], discriminator: { propertyName: 'userId' } },
    'a',
    [],
  ],
  [
    'an example says nothing',
    '3.0.3',
    { ...text, example: 5, xml: { name: 'x' }, externalDocs: { url: '' }, 'x-own': [] },
    'a',
    [],
  ],
  [
    'a tuple in the old form',
    '3.1.0',
    { type: 'array', items: [text, { type: 'integer' }] },
    ['a', 'b'],
    ['/* is string, but integer is specified'],
  ],
  [
    'a property that is called like a keyword',
    '3.0.3',
    { type: 'object', properties: { nullable: { type: 'boolean' }, $ref: text, required: text } },
    { nullable: 1, $ref: 2, required: 3 },
    [
      '/nullable is number, but boolean is specified',
      '/$ref is number, but string is specified',
      '/required is number, but string is specified',
    ],
  ],
  ['an anchor', '3.1.0', { $ref: '#user' }, {}, ['/userId is missing']],
  ['true accepts anything', '3.1.0', true, 5, []],
  ['false accepts nothing', '3.1.0', { properties: { a: false } }, { a: 1 }, ['/a must not be there']],
];

for (const [name, version, schema, body, broken] of rows)
  test(`${name} (${version})`, () => {
    const schemas = { ...components.components.schemas, Anchored: { ...entry, $anchor: 'user' } };
    const document = { ...listDocument(schema, { components: { schemas } }), openapi: version };
    const { operations } = contractOfFiles({ 'openapi.json': document }, 'openapi.json');
    const specified = operations.get('listBlocked');
    assert.ok(specified);
    assert.deepEqual(responseBreaches(fakeResponse(200, body), specified).broken, broken);
  });
