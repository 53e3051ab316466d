import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StepResult, TestResult } from 'allure-js-commons';
import { tidyResult } from './tidy-result.ts';

const attached = (name: string, type = 'text/plain', source = `${name}.txt`) => ({ name, type, source });
const exchange = (name: string, source = 'one.httpexchange') =>
  step(name, { attachments: [attached(name, 'application/vnd.allure.http+json', source)] });

function step(name: string, rest: Partial<StepResult> = {}): StepResult {
  return {
    name,
    status: undefined,
    statusDetails: {},
    stage: undefined,
    steps: [],
    attachments: [],
    parameters: [],
    ...rest,
  } as unknown as StepResult;
}

function result(steps: StepResult[] = []): TestResult {
  const labels = [
    { name: 'tag', value: 'stories' },
    { name: 'tag', value: 'reversible' },
  ];
  const parameters = [{ name: 'Project', value: 'staging' }];
  const titlePath = ['sextant', 'auth', 'love.spec.ts'];
  return { ...step('love, then unlove', { steps }), uuid: '1', labels, links: [], parameters, titlePath } as TestResult;
}

test('a result gets the labels for environment, area and severity, and each operation once', () => {
  const calls = ['love: POST /a → 200', 'unlove: POST /b → 200', 'love: POST /a → 200'];
  const tidied = result([
    exchange(calls[0] ?? ''),
    step('inside', { steps: calls.slice(1).map((name) => exchange(name)) }),
  ]);
  tidyResult(tidied);
  assert.deepEqual(
    tidied.labels.map(({ name, value }) => `${name}=${value}`),
    [
      'tag=stories',
      'tag=reversible',
      'operation=love',
      'operation=unlove',
      'environment=staging',
      'area=stories',
      'effect=reversible',
      'epic=Stories',
      'feature=Authentication',
      'story=love, then unlove',
      'severity=critical',
    ],
  );
});

test('attachments move from steps of their own onto the step of their call, the curl line beside the exchange', () => {
  const tidied = result([
    step('love story succeeds', {
      steps: [exchange('love: POST → 200'), step('something else', { attachments: [attached('its file')] })],
    }),
    step('error-context', { attachments: [attached('error-context')] }),
  ]);
  tidyResult(tidied);
  const [call] = tidied.steps;
  assert.deepEqual(
    call?.attachments.map(({ name, type, source }) => [name, type, source]),
    [
      ['love: POST → 200', 'application/vnd.allure.http+json', 'one.httpexchange'],
      ['curl', 'text/plain', 'one-curl.txt'],
    ],
  );
  assert.deepEqual(
    call?.steps.map(({ name }) => name),
    ['something else'],
  );
  assert.deepEqual([tidied.steps.length, tidied.attachments], [1, []]);
});
