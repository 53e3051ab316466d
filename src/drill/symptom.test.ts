import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Ending, symptomOf } from './symptom.ts';

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
