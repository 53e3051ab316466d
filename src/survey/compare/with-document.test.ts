import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import type { ObservedResponse } from '../../client/index.ts';
import { describedOperations } from '../../config/index.ts';
import { heldAt, withFiles } from '../../testing/contract/contract-of-document.ts';
import type { KeptSurvey } from '../facts/survey-files.ts';
import { compareWithDocument, type Side } from './with-document.ts';

const text = { type: 'string' };
const object = (properties: object, required = Object.keys(properties)) => ({ type: 'object', properties, required });
const json = (schema?: object) => ({ content: { 'application/json': schema ? { schema } : {} } });

/** A document with the responses of `love`. */
function document(responses: object, required?: readonly string[]): Side {
  const requestBody = required ? { requestBody: json({ ...object({ storyId: text }), required }) } : {};
  const file = { openapi: '3.1.0', paths: { '/v1/stories/love': { post: { ...requestBody, responses } } } };
  return withFiles({ 'own.json': file }, (folder) => ({
    document: { name: 'own.yaml', operations: describedOperations(join(folder, 'own.json'), heldAt()) },
  }));
}

function survey(
  answers: Readonly<Record<string, Partial<ObservedResponse>>>,
  facts: Readonly<Record<string, string>> = {},
): Side {
  const seen = { contentTypes: ['application/json'], samples: 30, observedAt: '', body: 'always' as const };
  const kept: KeptSurvey = {
    environment: 'test',
    startedAt: '',
    durationMs: 1,
    requests: 1,
    facts: Object.entries(facts).map(([question, answer]) => ({
      operation: 'love',
      question,
      answer,
      samples: 1,
      observedAt: '',
      evidence: [],
    })),
    answers: [
      {
        operation: 'love',
        answers: Object.fromEntries(Object.entries(answers).map(([kind, each]) => [kind, { ...seen, ...each }])),
      },
    ],
  };
  return { survey: kept };
}

const a = object({ a: text });
const ab = object({ a: text, b: text });
const rows: [name: string, before: Side, after: Side, expected: string[]][] = [
  ['the same', document({ 200: json(a) }), survey({ 200: { schema: a } }), []],
  ['missing', document({ 200: json(ab) }), survey({ 200: { schema: a } }), ['breaking response 200: /b is missing']],
  [
    'missing, though never promised',
    document({ 200: json(object({ a: text, b: text }, ['a'])) }),
    survey({ 200: { schema: a } }),
    ['unknown response 200: /b is missing'],
  ],
  ['additional', document({ 200: json(a) }), survey({ 200: { schema: ab } }), ['safe response 200: /b is new']],
  [
    'additional, the other way round: consumers rely on what was observed',
    survey({ 200: { schema: ab } }),
    document({ 200: json(a) }),
    ['breaking response 200: /b is missing'],
  ],
  [
    'of another type',
    document({ 200: json(a) }),
    survey({ 200: { schema: object({ a: { type: 'integer' } }) } }),
    ['breaking response 200: /a string → integer'],
  ],
  [
    'newly null',
    document({ 200: json(a) }),
    survey({ 200: { schema: object({ a: { type: ['string', 'null'] } }) } }),
    ['breaking response 200: /a string → string | null'],
  ],
  [
    'never null',
    document({ 200: json(object({ a: { type: ['string', 'null'] } })) }),
    survey({ 200: { schema: a } }),
    ['safe response 200: /a string | null → string'],
  ],
  [
    'whole numbers in few samples',
    document({ 200: json(object({ a: { type: 'integer' } })) }),
    survey({ 200: { schema: object({ a: { type: 'number' } }) } }),
    ['unknown response 200: /a integer → number'],
  ],
  [
    'required, in few samples',
    document({ 200: json(a) }),
    survey({ 200: { schema: object({ a: text }, []) } }),
    ['unknown response 200: /a is no longer always present'],
  ],
  [
    'required by the document, and so always there from now on',
    survey({ 200: { schema: object({ a: text }, []) } }),
    document({ 200: json(a) }),
    ['safe response 200: /a is always present'],
  ],
  [
    'optional in the document is certain',
    survey({ 200: { schema: a } }),
    document({ 200: json(object({ a: text }, [])) }),
    ['breaking response 200: /a is no longer always present'],
  ],
  [
    'a format that no survey inferred',
    document({ 200: json(object({ a: { ...text, format: 'uuid' } })) }),
    survey({ 200: { schema: a } }),
    [],
  ],
  [
    'another format',
    document({ 200: json(object({ a: { ...text, format: 'uuid' } })) }),
    survey({ 200: { schema: object({ a: { ...text, format: 'date-time' } }) } }),
    ['unknown response 200: /a format uuid → date-time'],
  ],
  [
    'a success that the document lacks',
    document({ 204: {} }),
    survey({ 200: { schema: a } }),
    [
      'breaking response 200: observed, but own.yaml lists 204',
      'unknown response 204: in own.yaml, but never observed',
    ],
  ],
  [
    'errors that the document lacks',
    document({ 200: json(a) }),
    survey({ 200: { schema: a }, 401: {}, 404: {} }),
    ['unknown response 401, 404: observed, but own.yaml lists 200'],
  ],
  [
    'an error in a range',
    document({ 200: json(a), '4XX': json(ab) }),
    survey({ 200: { schema: a }, 404: { schema: a } }),
    ['breaking response 404: /b is missing'],
  ],
  [
    'the default',
    document({ default: json(ab) }),
    survey({ 200: { schema: a } }),
    ['breaking response 200: /b is missing'],
  ],
  [
    'no body where one is described',
    document({ 200: json(a) }),
    survey({ 200: { body: 'never', contentTypes: [null] } }),
    ['breaking response 200: body always → never', 'breaking response 200: content type application/json → none'],
  ],
  [
    'another content type',
    document({ 200: json(a) }),
    survey({ 200: { contentTypes: ['text/plain'], body: 'text' } }),
    ['breaking response 200: body always → text', 'breaking response 200: content type application/json → text/plain'],
  ],
  ['nothing said about the body', document({ 200: {} }), survey({ 200: { schema: a } }), []],
  [
    'a refusal with the status of a success',
    document({ 200: json(a) }),
    survey({ 200: { schema: a }, '200 refused': { schema: ab } }),
    [],
  ],
  [
    'a required field that the document calls optional',
    document({ 200: {} }, []),
    survey({ 200: {} }, { 'required-field:storyId': 'required, else 400' }),
    ['breaking required-field:storyId: optional → required, else 400'],
  ],
  [
    'an optional field that the document requires',
    document({ 200: {} }, ['storyId']),
    survey({ 200: {} }, { 'required-field:storyId': 'optional' }),
    ['safe required-field:storyId: required → optional'],
  ],
  [
    'agreement on a required field',
    document({ 200: {} }, ['storyId']),
    survey({ 200: {} }, { 'required-field:storyId': 'required, else 400' }),
    [],
  ],
  [
    'facts of which no document speaks',
    document({ 200: {} }),
    survey({ 200: {} }, { 'text-limit:message': '280' }),
    [],
  ],
  [
    'two documents',
    document({ 200: json(ab), 204: {} }, []),
    document({ 200: json(a) }, ['storyId']),
    [
      'breaking required-field:storyId: optional → required',
      'breaking response 204: not in own.yaml',
      'breaking response 200: /b is missing',
    ],
  ],
];

for (const [name, before, after, expected] of rows)
  test(name, () => {
    assert.deepEqual(
      compareWithDocument(before, after).map(({ impact, what }) => `${impact} ${what}`),
      expected,
    );
  });

test('what was observed of an operation that the document lacks is unknown', () => {
  const other = survey({ 200: {} }) as { survey: KeptSurvey };
  const answers = other.survey.answers.map((each) => ({ ...each, operation: 'unlove' }));
  const found = compareWithDocument(document({}), { survey: { ...other.survey, answers } });
  assert.deepEqual(found, [{ operation: 'unlove', impact: 'unknown', what: 'observed, but not in own.yaml' }]);
});
