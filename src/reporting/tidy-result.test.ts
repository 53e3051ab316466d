import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StepResult, TestResult } from 'allure-js-commons';
import { CURL_ATTACHMENT } from '../client/index.ts';
import { tidyResult } from './tidy-result.ts';

const attached = (name: string, type = 'text/plain') => ({ name, type, source: `${name}.txt` });

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
    { name: 'operation', value: 'love' },
    { name: 'operation', value: 'unlove' },
    { name: 'operation', value: 'love' },
  ];
  const parameters = [{ name: 'Project', value: 'staging' }];
  const titlePath = ['sextant', 'auth', 'love.spec.ts'];
  return { ...step('love, then unlove', { steps }), uuid: '1', labels, links: [], parameters, titlePath } as TestResult;
}

test('a result gets the labels that environments, areas and severity are told by, and each operation once', () => {
  const tidied = result();
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

test('attachments move from steps of their own onto the step of their call, the curl line as text', () => {
  const tidied = result([
    step('love story succeeds', {
      steps: [
        step('love: POST → 200', { attachments: [attached('love: POST → 200', 'application/vnd.allure.http+json')] }),
        step('curl', { attachments: [attached('curl', CURL_ATTACHMENT)] }),
        step('something else', { attachments: [attached('its file')] }),
      ],
    }),
    step('error-context', { attachments: [attached('error-context')] }),
  ]);
  tidyResult(tidied);
  const [call] = tidied.steps;
  assert.deepEqual(
    call?.attachments.map(({ name, type }) => [name, type]),
    [
      ['love: POST → 200', 'application/vnd.allure.http+json'],
      ['curl', 'text/plain'],
    ],
  );
  assert.deepEqual(
    call?.steps.map(({ name }) => name),
    ['something else'],
  );
  assert.deepEqual([tidied.steps.length, tidied.attachments], [1, []]);
});
