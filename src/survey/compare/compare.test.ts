import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FlatSchema, ObservedOperation } from '../../client/index.ts';
import { answers, fact } from '../../testing/survey/learned.ts';
import { type Fact, UNDECIDED } from '../facts/fact.ts';
import { compareSurveys, showDifferences } from './index.ts';
import type { Impact } from './schemas.ts';
import { bestAnswers, bestFacts, changes } from './survey-changes.ts';

const survey = (facts: readonly Fact[], schema?: FlatSchema) => ({
  facts,
  answers: schema ? [answers({ 200: { schema } })] : [],
});

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

const text = { type: 'string' };
const object = (properties: Record<string, FlatSchema>, required = Object.keys(properties)) => ({
  type: 'object',
  properties,
  ...(required.length > 0 ? { required } : {}),
});

const only = (type: string | string[]) => object({ a: { type } });
const list = (items: FlatSchema) => ({ type: 'array', items });
const [a, ab, abMayLackB] = [only('string'), object({ a: text, b: text }), object({ a: text, b: text }, ['a'])];

const schemas: [name: string, before: FlatSchema, after: FlatSchema, expected: string[]][] = [
  ['a new field', a, ab, ['safe /b is new']],
  ['a lost field', ab, a, ['breaking /b is missing']],
  ['a field never sure', abMayLackB, a, ['unknown /b is missing']],
  ['no longer sure', ab, abMayLackB, ['breaking /b is no longer always present']],
  ['too few samples to be sure', a, object({ a: text }, []), ['unknown /a is no longer always present']],
  ['newly null', a, only(['string', 'null']), ['breaking /a string → string | null']],
  ['no longer null', only(['string', 'null']), a, ['safe /a string | null → string']],
  ['a number narrowed', only('number'), only('integer'), ['safe /a number → integer']],
  ['a number widened', only('integer'), only('number'), ['breaking /a integer → number']],
  [
    'whole numbers in too few samples',
    object({ a: list(only('integer')) }),
    object({ a: list(object({ a: { type: 'number' } }, [])) }),
    ['unknown /a/*/a is no longer always present', 'unknown /a/*/a integer → number'],
  ],
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

const ofLove = (samples: number, schema: FlatSchema, kind = '200') => answers({ [kind]: { samples, schema } });

test('what one side left undecided for one reason is said once', () => {
  const operations = ['love', 'unlove', 'block'];
  const side = (answer: string, tried: string) => ({
    facts: operations.map((operation) => ({ ...fact('repeat', answer), operation, tried })),
    answers: [],
  });
  const why = 'not allowed: its effect is reversible';
  const names = { before: 'staging', after: 'production' };
  const differences = compareSurveys(side('accepted', 'x'), side(UNDECIDED, why));
  assert.equal(differences.length, 3);
  assert.equal(
    showDifferences(differences, names, 'text'),
    `3 questions are undecided in ${names.after}: ${why}\n${names.before} → ${names.after}: 0 breaking, 3 unknown, 0 safe\n`,
  );
  assert.match(showDifferences(differences, names, 'markdown'), /^3 questions are undecided in /m);
  assert.match(showDifferences(differences.slice(1, 2), names, 'text'), /^unlove\n {2}unknown {3}repeat: /);
});

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
  ['as many samples replace', ofLove(30, abMayLackB), ofLove(30, ab), true],
  ['fewer samples replace nothing', ofLove(30, ab), ofLove(3, object({ a: text, b: text }, [])), false],
  [
    'whole numbers in fewer samples contradict nothing',
    ofLove(30, only('integer')),
    ofLove(3, object({ a: { type: 'number' } }, [])),
    false,
  ],
  ['fewer samples replace what they contradict', ofLove(30, ab), ofLove(3, object({ a: text }, [])), true],
  ['null contradicts', ofLove(30, abMayLackB), ofLove(1, { type: ['object', 'null'] }), true],
];

for (const [name, before, after, isNew] of kept)
  test(name, () => assert.deepEqual(bestAnswers([before], [after]), [isNew ? after : before]));

test('a kind of answer that was not seen this time stays', () => {
  const [found] = bestAnswers([ofLove(30, a, '404')], [ofLove(30, a)]);
  assert.deepEqual(Object.keys(found?.answers ?? {}), ['200', '404']);
});

test('changes are listed with the oldest evidence first, and what is new last', () => {
  const before = {
    facts: [fact('repeat', 'accepted', '2026-03-01T00:00:00Z'), fact('success-status', '200', '2026-02-01T00:00:00Z')],
    answers: [ofLove(30, ab)],
  };
  const after = {
    facts: [fact('repeat', 'refused with 409'), fact('success-status', '204'), fact('unknown-story', 'accepted')],
    answers: [ofLove(30, abMayLackB)],
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
  const same = { facts: [fact('repeat', 'accepted')], answers: [ofLove(30, ab)] };
  assert.deepEqual(changes(same, same), []);
});

test('part of a survey replaces only what it asked', () => {
  const [old, other] = [fact('repeat', 'accepted'), fact('success-status', '200')];
  const fresh = [fact('repeat', 'refused'), fact('unknown-field', 'accepted')];
  assert.deepEqual(bestFacts([old, other], fresh, true), [fresh[0], other, fresh[1]]);
  assert.deepEqual(bestFacts([old, other], fresh), fresh);
});
