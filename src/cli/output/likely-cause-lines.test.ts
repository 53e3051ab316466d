import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Exchange, parsedJson } from '../../client/index.ts';
import { Facts } from '../../engine/facts/index.ts';
import { callOf } from '../../engine/run/index.ts';
import { fakeResponse } from '../../testing/contract/fake-response.ts';
import { fakeExchange, fakeResult } from '../../testing/monitor/fakes.ts';
import { ownFolder } from '../../testing/servers/own-service.ts';
import { redsOf, redsOfCheck } from './likely-cause-lines.ts';

const failing = fakeExchange({ response: fakeResponse(200, {}) });

// A fault agrees with the symptoms of what it explains, so without one no fault is named.
const rows: [claim: `${'documented' | 'specified' | 'assumed'}: ${string}`, symptom: string | undefined][] = [
  ['documented: the list mentions a friend just blocked', '2xx json'],
  ['assumed: success is a 2xx', '2xx json'],
  ['specified: the team’s document describes it', undefined],
];
for (const [claim, symptom] of rows) {
  test(`${claim}: ${symptom ?? 'no'} symptom, in both runners`, () => {
    const folder = ownFolder();
    const file = join(folder, 'outcomes.json');
    const [grade] = claim.split(':') as ['documented' | 'specified' | 'assumed'];
    const failures = [{ grade, call: callOf(failing) }];
    const outcome = { environment: 'e', title: 'block', area: 'friends', verdict: 'failed', failures };
    writeFileSync(file, JSON.stringify([outcome]));
    const { operation } = failing;
    const expected = [{ title: 'block', operation, ...(symptom ? { symptom } : {}) }];
    assert.deepEqual(redsOf(file)[0]?.red, expected);
    const result = { ...fakeResult('failed', 0), title: 'block', grade, failing };
    assert.deepEqual(redsOfCheck('e', [result]).red, expected);
  });
}

const plain: readonly [what: string, call: { operation: string; status: number; body: string }, symptom?: string][] = [
  ['a server error', { operation: 'love', status: 500, body: '{"error":"x"}' }],
  ['a list without entries', { operation: 'listBlocked', status: 200, body: '{"items":[]}' }],
  ['a list with entries', { operation: 'listBlocked', status: 200, body: '[{"userId":"x"}]' }, '2xx json'],
  ['an empty object of an operation that is no list', { operation: 'love', status: 200, body: '{}' }, '2xx json'],
];
for (const [what, { operation, status, body }, symptom] of plain)
  test(`${what} ${symptom ? 'may show a fault' : 'explains itself'}`, () => {
    const failing = { ...fakeExchange({ response: fakeResponse(status, parsedJson(body)) }), operation } as Exchange;
    const [red] = redsOfCheck('e', [{ ...fakeResult('failed', 0), grade: 'assumed', failing }]).red;
    assert.equal(red?.symptom, symptom);
  });

test('a refusal counts as what the facts say that it means, in both runners', () => {
  const known = { operation: 'love', question: 'unknown-story', answer: 'refused with 422' };
  const facts = new Facts([{ ...known, evidence: 'a valid request', askedAt: '2026-11-27' }]);
  const refused = { ...fakeExchange({ response: fakeResponse(422, {}) }), operation: 'love' } as Exchange;
  const result = { ...fakeResult('failed', 0), title: 'love', grade: 'documented' as const, failing: refused };
  assert.equal(redsOfCheck('e', [result]).red[0]?.symptom, '422');
  assert.equal(redsOfCheck('e', [result], facts).red[0]?.symptom, '404');
  const file = join(ownFolder(), 'outcomes.json');
  const failures = [{ grade: 'documented', call: callOf(refused) }];
  const outcome = { environment: 'e', title: 'love', area: 'stories', verdict: 'failed', failures };
  writeFileSync(file, JSON.stringify([outcome]));
  assert.equal(redsOf(file, (name) => (name === 'e' ? facts : undefined))[0]?.red[0]?.symptom, '404');
});
