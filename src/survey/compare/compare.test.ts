import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Fact, Facts } from '../../facts/index.ts';
import type { Impact } from '../../questions/index.ts';
import { answers, fact } from '../../testing/survey/learned.ts';
import type { FlatSchema } from '../../verdict/index.ts';
import { compareSurveys, showDifferences } from './index.ts';

const survey = (facts: readonly Fact[], schema?: FlatSchema) => ({
  facts: new Facts(facts),
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
  ['token-user', 'not tied', 'tied', 'breaking'],
  ['report-codes', 'A, B', 'A, B, C', 'safe'],
  ['report-codes', 'A, B', 'A', 'breaking'],
  ['languages', 'de, en of 16 tried', 'de, en, fr of 16 tried; an unknown one falls back', 'safe'],
  ['languages', 'de, en of 16 tried', 'en of 16 tried', 'breaking'],
  ['allowed-values:gender', '0, 1; not 2', '0, 1, 2', 'unknown'],
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

test('what one side has no fact of is unknown, and said once for more than some', () => {
  const facts = ['repeat', 'unknown-field', 'malformed-json', 'token-user'].map((question) =>
    fact(question, 'accepted'),
  );
  const names = { before: 'staging', after: 'production' };
  const differences = compareSurveys(survey(facts), survey([]));
  assert.deepEqual(
    differences.map(({ impact, unknownIn }) => [impact, unknownIn]),
    facts.map(() => ['unknown', 'after']),
  );
  assert.equal(
    showDifferences(differences, names, 'text'),
    '4 questions have no fact in production\nstaging → production: 0 breaking, 4 unknown, 0 safe\n',
  );
  assert.match(
    showDifferences(differences.slice(1, 2), names, 'text'),
    /^love\n {2}unknown {3}.*: accepted → no fact\n/,
  );
});
