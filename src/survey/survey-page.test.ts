import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Facts } from '../facts/index.ts';
import { testEnvironment } from '../testing/test-environment.ts';
import { questionsOf } from './run-survey.ts';
import { surveyPage } from './survey-page.ts';

const environment = testEnvironment('http://127.0.0.1:9', { FRIEND_PROFILE_REQUEST: 'GET /v1/profile/{userId}' });
const asked = questionsOf(environment).map(({ question, operation }, index) => {
  return { question, operation, evidence: `request ${index}: 200`, askedAt: '2026-11-27' };
});
const page = (findings: Parameters<typeof surveyPage>[0]['findings'], facts = new Facts()) =>
  surveyPage({ environment: 'qa', facts, findings, requests: 7 }).split('\n');

test('every question has a row of its own, with its answer and the evidence', () => {
  const lines = page(asked, new Facts(asked.map((each, index) => ({ ...each, answer: `answer ${index}` }))));
  const without = asked.filter(({ operation, question, evidence }, index) => {
    return !lines.includes(`| ${operation} | \`${question}\` | answer ${index} | ${evidence} | 2026-11-27 |`);
  });
  assert.deepEqual(without, []);
  assert.match(lines.join('\n'), new RegExp(`asked ${asked.length} questions with 7 requests and decided 0\\.`));
});

test('what could not be answered says why; questions that are alike share a row', () => {
  const open = asked.filter(({ question }) => question === 'success-status');
  const lines = page(open.map((each) => ({ ...each, evidence: 'a request', tried: 'needs a | second user' })));
  const rows = lines.filter((line) => line.includes('*not answered*: needs a \\| second user'));
  assert.equal(rows.length, 1, lines.join('\n'));
  assert.match(rows[0] ?? '', /^\| all \| `success-status`/);
});
