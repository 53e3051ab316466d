import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { folderWith, heldAt, listDocument } from '../../testing/contract/contract-of-document.ts';
import { describedOperations } from './described-operations.ts';

const text = { type: 'string' };
const object = (properties: object, required?: readonly string[]) => ({
  type: 'object',
  properties,
  ...(required ? { required } : {}),
});

const rows: [name: string, schema: unknown, flat: unknown][] = [
  ['as it is', object({ a: text }, ['a']), object({ a: text }, ['a'])],
  ['a reference', { $ref: '#/components/schemas/A' }, object({ a: text }, ['a'])],
  [
    'allOf',
    { allOf: [object({ a: text }, ['a']), object({ b: text }, ['b'])] },
    object({ a: text, b: text }, ['a', 'b']),
  ],
  [
    'oneOf: what both have',
    { oneOf: [object({ a: text }, ['a']), object({ a: { type: 'integer' }, b: text }, ['a', 'b'])] },
    object({ a: { type: ['string', 'integer'] }, b: text }, ['a']),
  ],
  [
    'anyOf with null',
    { anyOf: [object({ a: text }, ['a']), { type: 'null' }] },
    { ...object({ a: text }, ['a']), type: ['object', 'null'] },
  ],
  ['a constant', { const: 'A' }, { enum: ['A'] }],
  ['numbers are no codes', { enum: [1, 2] }, {}],
  [
    'a list',
    { type: 'array', items: { $ref: '#/components/schemas/A' } },
    { type: 'array', items: object({ a: text }, ['a']) },
  ],
  ['a map', { type: 'object', additionalProperties: text }, { type: 'object', additionalProperties: text }],
  ['a closed object', { ...object({ a: text }), additionalProperties: false }, object({ a: text })],
  ['a circle', { $ref: '#/components/schemas/Circle' }, object({ next: {} })],
  [
    'a discriminator',
    {
      oneOf: [{ $ref: '#/components/schemas/A' }, { $ref: '#/components/schemas/B' }],
      discriminator: { propertyName: 'a' },
    },
    object({ a: { ...text, enum: ['A', 'B'] }, b: text }, ['a']),
  ],
  ['anything', true, {}],
];

const schemas = {
  A: object({ a: text }, ['a']),
  B: object({ a: text, b: text }, ['a', 'b']),
  Circle: object({ next: { $ref: '#/components/schemas/Circle' } }),
};

for (const [name, schema, flat] of rows)
  test(name, () => {
    const folder = folderWith({ 'openapi.json': listDocument(schema, { components: { schemas } }) });
    const described = describedOperations(join(folder, 'openapi.json'), heldAt()).get('listBlocked');
    assert.deepEqual(described?.responses.get('200')?.content?.get('application/json'), flat);
  });
