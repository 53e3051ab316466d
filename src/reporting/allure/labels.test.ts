import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StepResult, TestResult } from 'allure-js-commons';
import {
  type Category,
  type Claim,
  type Exchange,
  ExpectationError,
  NotTried,
  SpecMistake,
  type SuiteError,
  SuiteFault,
  UnjudgedCall,
  type Verdict,
  verdicts,
} from '../../client/index.ts';
import { ProvisionFailed, Skipped } from '../../scenario/index.ts';
import { categories } from './labels.ts';
import { tidyResult } from './tidy-result.ts';

function filed(category: string, status: string): string | undefined {
  const labels = [{ name: 'category', value: category }];
  return categories.find(({ matchers }) => matchers({ status, labels }))?.id;
}

const request = { method: 'GET', url: 'http://127.0.0.1/', headers: {}, correlation: {} };
const exchange: Exchange = { operation: 'block', area: 'friends', startedAt: 0, durationMs: 1, phases: {}, request };
const claim: Claim = 'assumed: it works';
const broken = (verdict: ConstructorParameters<typeof ExpectationError>[1]['verdict'], because: Claim = claim) =>
  new ExpectationError(exchange, { verdict, claim: because, observed: '' });

const rows: [error: SuiteError, status: 'failed' | 'skipped', category: Category][] = [
  [broken('failed'), 'failed', 'failed'],
  [broken('failed', 'specified: the document describes it'), 'failed', 'off-contract'],
  [broken('unknown', 'specified: the document describes it'), 'failed', 'unknown'],
  [broken('drifted'), 'failed', 'drifted'],
  [broken('refused'), 'failed', 'refused'],
  [broken('unreachable'), 'failed', 'unreachable'],
  [broken('unknown'), 'failed', 'unknown'],
  [new NotTried('not tried'), 'failed', 'refused'],
  [new ProvisionFailed('no users'), 'failed', 'unknown'],
  [new UnjudgedCall('1 call'), 'failed', 'unjudged'],
  [new SuiteFault('wrong'), 'failed', 'suite-fault'],
  [SpecMistake.of('no tags', { title: 'love' }), 'failed', 'spec-mistake'],
  [new Skipped('its effect is irreversible', 'not-allowed'), 'skipped', 'not-allowed'],
  [new Skipped('needs FLAG_KEY'), 'skipped', 'no-data'],
];

for (const [error, status, category] of rows)
  test(`${error.name}: ${category}`, () => {
    assert.equal(error.category, category);
    assert.equal(filed(error.category, status), category);
    assert.equal(filed(error.category, 'passed'), undefined);
  });

test('every verdict that is red in the report has a category there', () => {
  for (const verdict of Object.keys(verdicts) as Verdict[])
    assert.equal(filed(verdict, 'failed'), verdicts[verdict].category === null ? undefined : verdict);
});

const attached = (name: string, type = 'text/plain', source = `${name}.txt`) => ({ name, type, source });
const exchangeStep = (name: string, source = 'one.httpexchange') =>
  step(name, { attachments: [attached(name, 'application/vnd.allure.http+json', source)] });

function step(name: string, rest: Partial<StepResult> = {}): StepResult {
  return { name, statusDetails: {}, steps: [], attachments: [], parameters: [], ...rest } as unknown as StepResult;
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
    exchangeStep(calls[0] ?? ''),
    step('inside', { steps: calls.slice(1).map((name) => exchangeStep(name)) }),
  ]);
  tidyResult(tidied);
  assert.deepEqual(
    tidied.labels.map(({ name, value }) => `${name}=${value}`),
    [
      ...['tag=stories', 'tag=reversible', 'operation=love', 'operation=unlove', 'environment=staging'],
      ...['area=stories', 'effect=reversible', 'epic=Stories', 'feature=Authentication'],
      ...['story=love, then unlove', 'severity=critical'],
    ],
  );
});

test('attachments move from steps of their own onto the step of their call', () => {
  const tidied = result([
    step('love story succeeds', {
      steps: [
        exchangeStep('love: POST → 200'),
        step('curl', { attachments: [attached('curl')] }),
        step('something else', { attachments: [attached('its file')] }),
      ],
    }),
    step('error-context', { attachments: [attached('error-context')] }),
  ]);
  tidyResult(tidied);
  const [call] = tidied.steps;
  assert.deepEqual(call?.attachments, [
    attached('love: POST → 200', 'application/vnd.allure.http+json', 'one.httpexchange'),
    attached('curl'),
  ]);
  assert.deepEqual(
    [call.steps.map(({ name }) => name), tidied.steps.length, tidied.attachments],
    [['something else'], 1, []],
  );
});
