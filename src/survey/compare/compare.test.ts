import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ObservedOperation } from '../../client/index.ts';
import { type Fact, UNDECIDED } from '../facts/fact.ts';
import type { KeptSurvey } from '../facts/survey-files.ts';
import { compareSurveys, showDifferences } from './index.ts';
import type { Impact } from './schemas.ts';
import { bestAnswers, bestFacts, changes } from './survey-changes.ts';

const fact = (question: string, answer: string, observedAt = '2026-01-01T00:00:00Z'): Fact => ({
  operation: 'love',
  question,
  answer,
  samples: 1,
  observedAt,
  evidence: [],
});

function survey(facts: readonly Fact[], schema?: object, samples = 30): KeptSurvey {
  const answer = { contentTypes: ['application/json'], samples, observedAt: '', body: 'always' as const };
  return {
    environment: 'test',
    startedAt: '2026-01-01T00:00:00Z',
    durationMs: 1,
    requests: 1,
    facts,
    answers: schema ? [{ operation: 'love', answers: { 200: { ...answer, schema } } }] : [],
  };
}

const facts: [question: string, before: string, after: string, impact: Impact | undefined][] = [
  ['success-status', '200', '200', undefined],
  ['success-status', '200', '204', 'breaking'],
  ['required-field:message', 'optional', 'required, else 400', 'breaking'],
  ['required-field:message', 'required, else 400', 'optional', 'safe'],
  ['required-field:message', 'required, else 400', 'required, else 422', 'breaking'],
  ['unknown-field', 'accepted', 'refused with 400', 'breaking'],
  ['unknown-field', 'refused with 400', 'accepted', 'safe'],
  ['missing-header:Authorization', 'refused with 401', 'refused with 403', 'breaking'],
  ['scheme-case', 'any case', 'only bearer', 'breaking'],
  ['text-limit:message', '280 characters, else 400', '140 characters, else 400', 'breaking'],
  ['text-limit:message', '280 characters, else 400', 'none up to 10000 characters', 'safe'],
  ['report-codes', 'A, B', 'A, B, C', 'safe'],
  ['report-codes', 'A, B', 'A', 'breaking'],
  ['languages', 'de, en of 16 tried', 'de, en, fr of 16 tried; an unknown one falls back', 'safe'],
  ['languages', 'de, en of 16 tried', 'en of 16 tried', 'breaking'],
  ['block-visible', 'at once', 'within 300 ms', 'breaking'],
  ['block-visible', 'within 300 ms', 'at once', 'safe'],
  ['allowed-values:gender', '0, 1; not 2', '0, 1, 2', 'unknown'],
  ['paging', 'undecided', 'offset/limit, first index 0', 'unknown'],
];

for (const [question, before, after, impact] of facts) {
  test(`${question}: ${before} → ${after} is ${impact ?? 'no difference'}`, () => {
    const found = compareSurveys(survey([fact(question, before)]), survey([fact(question, after)]));
    assert.deepEqual(
      found.map((difference) => difference.impact),
      impact ? [impact] : [],
    );
  });
}

const object = (properties: object, required: readonly string[] = Object.keys(properties)) => ({
  type: 'object',
  properties,
  ...(required.length > 0 ? { required } : {}),
});
const text = { type: 'string' };

const only = (type: unknown) => object({ a: { type } });
const list = (items: object) => ({ type: 'array', items });
const [a, ab, abMayLackB] = [only('string'), object({ a: text, b: text }), object({ a: text, b: text }, ['a'])];

const schemas: [name: string, before: object, after: object, expected: string[]][] = [
  ['a new field', a, ab, ['safe /b is new']],
  ['a lost field', ab, a, ['breaking /b is missing']],
  ['a field never sure', abMayLackB, a, ['unknown /b is missing']],
  ['no longer sure', ab, abMayLackB, ['breaking /b is no longer always present']],
  ['too few samples to be sure', a, object({ a: text }, []), ['unknown /a is no longer always present']],
  ['newly null', a, only(['string', 'null']), ['breaking /a string → string | null']],
  ['no longer null', only(['string', 'null']), a, ['safe /a string | null → string']],
  ['a number narrowed', only('number'), only('integer'), ['safe /a number → integer']],
  ['a number widened', only('integer'), only('number'), ['breaking /a integer → number']],
  ['within a list', list(a), list(only('integer')), ['breaking /*/a string → integer']],
];

for (const [name, before, after, expected] of schemas) {
  test(`answers: ${name}`, () => {
    const found = compareSurveys(survey([fact('repeat', 'x')], before), survey([fact('repeat', 'x')], after));
    assert.deepEqual(
      found.map(({ impact, what }) => `${impact} ${what.replace('response 200: ', '')}`),
      expected,
    );
  });
}

test('it is shown as text, JSON and Markdown, the gravest first', () => {
  const before = survey([fact('unknown-field', 'refused with 400'), fact('success-status', '200')]);
  const after = survey([fact('unknown-field', 'accepted'), fact('success-status', '204')]);
  const differences = compareSurveys(before, after);
  const names = { before: 'staging', after: 'production' };
  assert.equal(
    showDifferences(differences, names, 'text'),
    'love\n  breaking  success-status: 200 → 204\n  safe      unknown-field: refused with 400 → accepted\nstaging → production: 1 breaking, 0 unknown, 1 safe\n',
  );
  const shown = JSON.parse(showDifferences(differences, names, 'json'));
  assert.deepEqual([shown.before, shown.breaking, shown.differences.length], ['staging', 1, 2]);
  assert.match(
    showDifferences(differences, names, 'markdown'),
    /^\| love \| breaking \| success-status: 200 → 204 \|$/m,
  );
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
