import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FlatSchema } from '../../client/index.ts';
import { type Fact, Facts } from '../../engine/facts/index.ts';
import { contractOfFiles } from '../../testing/contract/contract-of-document.ts';
import { answers, fact } from '../../testing/survey/learned.ts';
import type { Learned } from './learned.ts';
import { compareWithDocument, type Described } from './with-document.ts';

const text = { type: 'string' };
const object = (properties: Readonly<Record<string, FlatSchema>>, required = Object.keys(properties)) => ({
  type: 'object',
  properties,
  required,
});
const json = (schema?: object) => ({ content: { 'application/json': schema ? { schema } : {} } });

type Side = { readonly document: Described } | { readonly survey: Learned };

function document(responses: object, required?: readonly string[]) {
  const requestBody = required ? { requestBody: json({ ...object({ storyId: text }), required }) } : {};
  const file = { openapi: '3.1.0', paths: { '/v1/stories/love': { post: { ...requestBody, responses } } } };
  return { document: { name: 'own.yaml', operations: contractOfFiles({ 'openapi.yaml': file }).operations } };
}

const survey = (by: Parameters<typeof answers>[0], ...facts: Fact[]) => ({
  survey: { facts: new Facts(facts), answers: [answers(by)] },
});

const a = object({ a: text });
const ab = object({ a: text, b: text });
const described = (schema: object) => document({ 200: json(schema) });
const seen = (schema: object) => survey({ 200: { schema } });
const only = (type: string | readonly string[]) => object({ a: { type } });
const inFormat = (format: string) => object({ a: { ...text, format } });
const mayLackA = object({ a: text }, []);
const required = (answer: string) => survey({ 200: {} }, fact('required-field:storyId', answer));

const rows: [name: string, before: Side, after: Side, expected: string[]][] = [
  ['the same', described(a), seen(a), []],
  ['missing', described(ab), seen(a), ['breaking /b is missing']],
  ['missing, never promised', described({ ...ab, required: ['a'] }), seen(a), ['unknown /b is missing']],
  ['additional', described(a), seen(ab), ['safe /b is new']],
  ['additional, though consumers rely on it', seen(ab), described(a), ['breaking /b is missing']],
  ['of another type', described(a), seen(only('integer')), ['breaking /a string → integer']],
  ['newly null', described(a), seen(only(['string', 'null'])), ['breaking /a string → string | null']],
  ['never null', described(only(['string', 'null'])), seen(a), ['safe /a string | null → string']],
  ['few whole numbers', described(only('integer')), seen(only('number')), ['unknown /a integer → number']],
  ['few samples', described(a), seen(mayLackA), ['unknown /a is no longer always present']],
  ['always there from now on', seen(mayLackA), described(a), ['safe /a is always present']],
  ['optional for certain', seen(a), described(mayLackA), ['breaking /a is no longer always present']],
  ['a format that no survey inferred', described(inFormat('uuid')), seen(a), []],
  ['another format', described(inFormat('uuid')), seen(inFormat('uri')), ['unknown /a format uuid → uri']],
  [
    'a success that the document lacks',
    document({ 204: {} }),
    seen(a),
    ['breaking observed, but own.yaml lists 204', 'unknown response 204: in own.yaml, but never observed'],
  ],
  [
    'errors that the document lacks',
    document({ 200: json(a), 'x-note': {} }),
    survey({ 200: { schema: a }, 401: {}, 404: {} }),
    ['unknown response 401, 404: observed, but own.yaml lists 200'],
  ],
  [
    'an error in a range',
    document({ 200: json(a), '4XX': json(ab) }),
    survey({ 200: { schema: a }, 404: { schema: a } }),
    ['breaking response 404: /b is missing'],
  ],
  ['the default', document({ default: json(ab) }), seen(a), ['breaking /b is missing']],
  [
    'no body where one is described',
    described(a),
    survey({ 200: { body: 'never', contentTypes: [null] } }),
    ['breaking body always → never', 'breaking content type application/json → none'],
  ],
  [
    'another content type',
    described(a),
    survey({ 200: { contentTypes: ['text/plain'], body: 'text' } }),
    ['breaking body always → text', 'breaking content type application/json → text/plain'],
  ],
  ['nothing said about the body', document({ 200: {} }), seen(a), []],
  ['a refused success', described(a), survey({ 200: { schema: a }, '200 refused': { schema: ab } }), []],
  [
    'a required field that the document calls optional',
    document({ 200: {} }, []),
    required('required, else 400'),
    ['breaking required-field:storyId: optional → required, else 400'],
  ],
  [
    'an optional field that the document requires',
    document({ 200: {} }, ['storyId']),
    required('optional'),
    ['safe required-field:storyId: required → optional'],
  ],
  ['agreement on a required field', document({ 200: {} }, ['storyId']), required('required, else 400'), []],
  ['what no document speaks of', document({ 200: {} }), survey({ 200: {} }, fact('unknown-field', 'accepted')), []],
];

for (const [name, before, after, expected] of rows)
  test(name, () => {
    assert.deepEqual(
      compared(before, after).map(({ impact, what }) => `${impact} ${what.replace('response 200: ', '')}`),
      expected,
    );
  });

function compared(before: Side, after: Side) {
  if ('document' in before && 'survey' in after) return compareWithDocument(before.document, after.survey);
  if ('survey' in before && 'document' in after) return compareWithDocument(after.document, before.survey, 'survey');
  return assert.fail();
}

test('what was observed of an operation that the document lacks is unknown', () => {
  const other = { facts: new Facts(), answers: [{ ...answers({ 200: {} }), operation: 'unlove' }] };
  const found = compareWithDocument(document({}).document, other);
  assert.deepEqual(found, [{ operation: 'unlove', impact: 'unknown', what: 'observed, but not in own.yaml' }]);
});
