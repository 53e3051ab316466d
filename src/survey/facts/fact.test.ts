import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Fact, UNDECIDED, withoutEmptyAcceptance, withoutLateRefusals } from './fact.ts';

const facts = (answers: Readonly<Record<string, string>>): Fact[] =>
  Object.entries(answers).map(([question, answer]) => ({
    operation: 'report',
    question,
    answer,
    samples: 1,
    observedAt: '',
    evidence: [],
  }));
const answersOf = (found: readonly Fact[]) =>
  Object.fromEntries(found.map(({ question, answer }) => [question, answer]));

test('where nothing is ever refused, nothing counts as accepted', () => {
  const mute = facts({
    'success-status': '200',
    'malformed-json': 'accepted',
    'missing-header:Authorization': 'accepted',
    'method-not-allowed': 'GET is accepted with 200',
    'required-field:message': 'optional',
    'text-limit:message': 'none up to 10000 characters',
    'scheme-case': 'any case',
  });
  const { 'success-status': status, ...others } = answersOf(withoutEmptyAcceptance(mute));
  assert.equal(status, '200');
  assert.deepEqual([...new Set(Object.values(others))], [UNDECIDED]);
});

test('one refusal shows that acceptance means something', () => {
  const mixed = facts({
    'malformed-json': 'refused with 400',
    'missing-header:Authorization': 'accepted',
    'required-field:message': 'optional',
  });
  assert.deepEqual(withoutEmptyAcceptance(mixed), mixed);
});

test('refusals don’t count once the valid request is refused too', () => {
  const late = facts({
    'success-status': '201',
    'unknown-field': 'refused with 401',
    'required-field:message': 'required, else 401',
    'token-user': 'tied',
    'scheme-case': 'only bearer',
    'allowed-values:gender': '0, 1; not 2',
    'text-limit:message': '280 characters, else 401',
    'malformed-json': 'accepted',
    'answer-shape': '{reportId: string}',
    'error-shape': 'application/json {error}',
  });
  assert.deepEqual(answersOf(withoutLateRefusals(late, 'it was refused')), {
    'success-status': '201',
    'unknown-field': UNDECIDED,
    'required-field:message': UNDECIDED,
    'token-user': UNDECIDED,
    'scheme-case': UNDECIDED,
    'allowed-values:gender': UNDECIDED,
    'text-limit:message': UNDECIDED,
    'malformed-json': 'accepted',
    'answer-shape': '{reportId: string}',
    'error-shape': UNDECIDED,
  });
});
