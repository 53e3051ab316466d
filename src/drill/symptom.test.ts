import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failureMessage } from '../client/verdict/failure-message.ts';
import { fakeExchange } from '../testing/monitor/fakes.ts';
import { type Ending, symptomOf, symptomOfExchange, symptomOfMessage } from './symptom.ts';

const rows: [Ending, string][] = [
  [{ status: 200, text: ' [1]' }, '2xx json'],
  [{ status: 201, text: '{}' }, '2xx json'],
  [{ status: 204, text: '' }, '2xx empty'],
  [{ status: 200, text: '<html>' }, '2xx other'],
  [{ status: 302, text: '' }, '3xx empty'],
  [{ status: 404, text: '<html>' }, '404'],
  [{ status: 404, text: '{}' }, '404'],
  [{ status: 403, text: '' }, '403'],
  [{ status: 500, text: '' }, '5xx'],
  [{ status: 503, text: '{}' }, '5xx'],
  [{ phase: 'processing' }, 'processing'],
];

test('symptoms of responses and of failures', () => {
  for (const [ending, symptom] of rows) assert.equal(symptomOf(ending), symptom, JSON.stringify(ending));
});

test('the same symptom from an exchange and from the text of a failed test', () => {
  for (const [status, text] of [
    [404, ''],
    [200, '[{"id": 1}]'],
    [200, ''],
    [500, 'oh no'],
  ] as const) {
    const exchange = fakeExchange({
      response: {
        status,
        statusText: '',
        headers: [['content-type', 'application/json; charset=utf-8']],
        body: { bytes: 2, text, json: { ok: false, problem: '' } },
      },
    });
    const message = `Error: it failed\n\n${failureMessage(exchange, 'documented: it works', 'it did not')}`;
    assert.equal(symptomOfMessage(message), symptomOfExchange(exchange));
  }
  assert.equal(symptomOfMessage('connection refused'), undefined);
});
