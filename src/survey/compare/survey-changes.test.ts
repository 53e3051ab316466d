import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ObservedOperation } from '../../client/index.ts';
import { type Fact, UNDECIDED } from '../facts/fact.ts';
import { bestAnswers, bestFacts, changes } from './survey-changes.ts';

const fact = (question: string, answer: string, observedAt = '2026-01-01T00:00:00Z'): Fact => ({
  operation: 'love',
  question,
  answer,
  samples: 1,
  observedAt,
  evidence: [],
});

const schema = (...required: string[]) => ({
  type: 'object',
  properties: { a: { type: 'string' }, b: { type: 'string' } },
  ...(required.length > 0 ? { required } : {}),
});

function answers(samples: number, body: object, kind = '200', observedAt = '2026-01-01T00:00:00Z'): ObservedOperation {
  const answer = { contentTypes: ['application/json'], samples, observedAt, body: 'always' as const, schema: body };
  return { operation: 'love', answers: { [kind]: answer } };
}

test('a question left undecided keeps the answer that it had', () => {
  const [before, after] = [fact('repeat', 'accepted'), fact('repeat', UNDECIDED)];
  assert.deepEqual(bestFacts([before], [after]), [before]);
  assert.deepEqual(bestFacts([after], [before]), [before]);
  assert.deepEqual(bestFacts([], [after]), [after]);
});

test('a question that was answered otherwise takes the new answer', () => {
  const after = fact('repeat', 'refused with 409');
  assert.deepEqual(bestFacts([fact('repeat', 'accepted')], [after]), [after]);
});

const kept: [name: string, before: ObservedOperation, after: ObservedOperation, isNew: boolean][] = [
  ['as many samples replace', answers(30, schema('a')), answers(30, schema('a', 'b')), true],
  ['fewer samples replace nothing', answers(30, schema('a', 'b')), answers(3, schema()), false],
  [
    'fewer samples replace what they contradict',
    answers(30, schema('a', 'b')),
    answers(3, { type: 'object', properties: { a: { type: 'string' } } }),
    true,
  ],
  ['null contradicts', answers(30, schema('a')), answers(1, { type: ['object', 'null'] }), true],
];

for (const [name, before, after, isNew] of kept)
  test(name, () => assert.deepEqual(bestAnswers([before], [after]), [isNew ? after : before]));

test('a kind of answer that was not seen this time stays', () => {
  const [found] = bestAnswers([answers(30, schema('a'), '404')], [answers(30, schema('a'), '200')]);
  assert.deepEqual(Object.keys(found?.answers ?? {}), ['200', '404']);
});

test('changes are listed with the oldest evidence first, and what is new last', () => {
  const before = {
    facts: [fact('repeat', 'accepted', '2026-03-01T00:00:00Z'), fact('success-status', '200', '2026-02-01T00:00:00Z')],
    answers: [answers(30, schema('a', 'b'))],
  };
  const after = {
    facts: [fact('repeat', 'refused with 409'), fact('success-status', '204'), fact('unknown-story', 'accepted')],
    answers: [answers(30, schema('a'))],
  };
  assert.deepEqual(
    changes(before, after).map(({ observedAt, what }) => `${observedAt.slice(0, 7)} ${what}`),
    [
      '2026-01 response 200: /b is no longer always present',
      '2026-02 success-status: 200 → 204',
      '2026-03 repeat: accepted → refused with 409',
      ' unknown-story: accepted (new)',
    ],
  );
});

test('nothing changes between a survey and itself', () => {
  const same = { facts: [fact('repeat', 'accepted')], answers: [answers(30, schema('a'))] };
  assert.deepEqual(changes(same, same), []);
});

test('part of a survey replaces only what it asked', () => {
  const [old, other] = [fact('repeat', 'accepted'), fact('success-status', '200')];
  const fresh = [fact('repeat', 'refused'), fact('unknown-field', 'accepted')];
  assert.deepEqual(bestFacts([old, other], fresh, true), [fresh[0], other, fresh[1]]);
  assert.deepEqual(bestFacts([old, other], fresh), fresh);
});
