import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Facts } from '../../facts/index.ts';
import { type Exchange, parsedJson } from '../../http/index.ts';
import { callOf, outcomeOf } from '../../run/index.ts';
import { fakeResponse } from '../../testing/contract/fake-response.ts';
import { fakeExchange, fakeResult } from '../../testing/monitor/fakes.ts';
import type { Grade } from '../../verdict/index.ts';
import { redsOf } from './likely-cause-lines.ts';

/** The outcome of a scenario whose failing call this is. */
const redOf = (call: Exchange, grade: Grade, facts?: Facts) => {
  const result = { ...fakeResult('failed', 0), title: 'block', failures: [failureOf(call, grade)] };
  return redsOf([outcomeOf('e', result)], (name) => (name === 'e' ? facts : undefined))[0]?.red[0];
};
const failureOf = (call: Exchange, grade: Grade) =>
  ({ verdict: 'failed', category: 'failed', reason: '', grade, call: callOf(call) }) as const;

// A fault agrees with the symptoms of what it explains, so without one no fault is named.
const rows: [grade: Grade, symptom: string | undefined][] = [
  ['documented', '2xx json'],
  ['assumed', '2xx json'],
  ['specified', undefined],
];
for (const [grade, symptom] of rows)
  test(`${grade}: ${symptom ?? 'no'} symptom`, () => {
    const failing = fakeExchange({ response: fakeResponse(200, {}) });
    const expected = { title: 'block', operation: failing.operation, ...(symptom ? { symptom } : {}) };
    assert.deepEqual(redOf(failing, grade), expected);
  });

const plain: readonly [what: string, call: { operation: string; status: number; body: string }, symptom?: string][] = [
  ['a server error', { operation: 'love', status: 500, body: '{"error":"x"}' }],
  ['a list without entries', { operation: 'listBlocked', status: 200, body: '{"items":[]}' }],
  ['a list with entries', { operation: 'listBlocked', status: 200, body: '[{"userId":"x"}]' }, '2xx json'],
  ['an empty object of an operation that is no list', { operation: 'love', status: 200, body: '{}' }, '2xx json'],
];
for (const [what, { operation, status, body }, symptom] of plain)
  test(`${what} ${symptom ? 'may show a fault' : 'explains itself'}`, () => {
    const failing = { ...fakeExchange({ response: fakeResponse(status, parsedJson(body)) }), operation } as Exchange;
    assert.equal(redOf(failing, 'assumed')?.symptom, symptom);
  });

test('a refusal counts as what the facts say that it means', () => {
  const known = { operation: 'love', question: 'unknown-story', answer: 'refused with 422' };
  const facts = new Facts([{ ...known, evidence: 'a valid request', askedAt: '2026-11-27' }]);
  const refused = { ...fakeExchange({ response: fakeResponse(422, {}) }), operation: 'love' } as Exchange;
  assert.equal(redOf(refused, 'documented')?.symptom, '422');
  assert.equal(redOf(refused, 'documented', facts)?.symptom, '404');
});
