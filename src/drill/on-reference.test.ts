import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Facts } from '../facts/index.ts';
import { onReference } from './on-reference.ts';

const facts = (lines: readonly string[]) =>
  new Facts(
    lines.map((line) => {
      const [, operation = '', question = '', answer = ''] = /^(\w+) (\S+) (.*)$/.exec(line) ?? [];
      return { operation, question, answer, evidence: 'a valid request twice', askedAt: '2026-11-27' };
    }),
  );

const rows: [what: string, lines: string[], symptom: string, operation: string, there: string][] = [
  ['another status of a refusal', ['love unknown-story refused with 422'], '422', 'love', '404'],
  ['of a missing field', ['love required-field:storyId required, else 422'], '422', 'love', '400'],
  ['of another operation', ['love unknown-story refused with 422'], '422', 'unlove', '422'],
  [
    'one status for two reasons',
    ['love unknown-story refused with 422', 'love malformed-json refused with 422'],
    '422',
    'love',
    '422',
  ],
  ['a status that no fact names', ['love unknown-story refused with 422'], '409', 'love', '409'],
  ['a success without a body', ['love answer-shape no body'], '2xx empty', 'love', '2xx json'],
  ['a success with one', ['deleteItem answer-shape {id: string}'], '2xx json', 'deleteItem', '2xx empty'],
  ['a body where none is usual', ['love answer-shape no body'], '2xx json', 'love', '2xx json'],
  ['a server error', ['love unknown-story refused with 422'], '5xx', 'love', '5xx'],
];
for (const [what, lines, symptom, operation, there] of rows)
  test(`${what}: ${symptom} of ${operation} is ${there} on the reference service`, () => {
    assert.equal(onReference(symptom, operation, facts(lines)), there);
  });

test('without facts, or without a call, a symptom stays', () => {
  assert.equal(onReference('422', 'love', undefined), '422');
  assert.equal(onReference('connect', undefined, facts(['love unknown-story refused with 422'])), 'connect');
});
