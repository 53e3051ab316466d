import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TestCase, TestResult } from '@playwright/test/reporter';
import type { TestResult as AllureResult, Label } from 'allure-js-commons';
import { AllureReporter } from 'allure-playwright';
import { RESULT_TYPE } from '../../run/ending/index.ts';
import { ALL_CALLS, FAILING_CALL } from '../../scenario/index.ts';
import { ownEnvironments } from '../../testing/own-folder.ts';
import { environmentText } from '../../testing/test-environment.ts';
import SuiteAllureReporter, { openOnFailure } from './allure-reporter.ts';

Object.assign(process.env, ownEnvironments({ own: environmentText('http://127.0.0.1:9') }).env);

const tested = {
  ...{ title: 'love', id: '1', annotations: [], results: [], tags: ['@stories', '@read'] },
  location: { file: '/tests/scenarios/a.spec.ts', line: 1, column: 1 },
  parent: { project: () => ({ name: 'own' }) },
} as unknown as TestCase;

const rows: [
  name: string,
  status: TestResult['status'],
  document: object | undefined,
  shown: string,
  category?: string,
][] = [
  ['a test that passed', 'passed', { verdict: 'passed', category: 'passed' }, 'passed'],
  [
    'a failure in quarantine, which Playwright expects',
    'failed',
    { verdict: 'skipped', category: 'quarantined', quarantined: true },
    'skipped',
    'quarantined',
  ],
  [
    'what was not tried, which Playwright skips',
    'skipped',
    { verdict: 'unreachable', category: 'unreachable' },
    'failed',
    'unreachable',
  ],
  ['a skip', 'skipped', { verdict: 'skipped', category: 'no-data' }, 'skipped', 'no-data'],
  ['a test that Ctrl-C ended', 'interrupted', undefined, 'skipped', 'skipped'],
  ['a worker that was killed', 'failed', undefined, 'failed', 'unknown'],
];

for (const [name, status, document, shown, category] of rows)
  test(`in Allure's report: ${name}`, async (t) => {
    const given: [string, number][] = [];
    t.mock.method(AllureReporter.prototype, 'onTestEnd', async (_: TestCase, result: TestResult) => {
      given.push([result.status, result.attachments.length]);
    });
    const labels: Label[] = [];
    const reporter = new SuiteAllureReporter();
    const updateTest = (_: string, change: (result: AllureResult) => void) => change({ labels } as AllureResult);
    Object.assign(reporter, { allureRuntime: { updateTest } });
    const body = Buffer.from(
      JSON.stringify({ ...document, exchanges: [{ operation: 'love' }, { operation: 'love' }] }),
    );
    const attachments = document ? [{ name: 'result', contentType: RESULT_TYPE, body }] : [];
    await reporter.onTestEnd(tested, { status, duration: 7, errors: [], attachments } as unknown as TestResult);
    assert.deepEqual(given, [[shown, 0]]);
    const of = (wanted: string) => labels.filter((each) => each.name === wanted).map(({ value }) => value);
    assert.deepEqual(
      [of('category'), of('feature'), of('environment')],
      [category ? [category] : [], ['Scenarios'], ['own']],
    );
    assert.deepEqual(of('operation'), document ? ['love'] : []);
  });

test('a red test opens with the call that failed', () => {
  const result = { steps: ['a', FAILING_CALL, 'b', ALL_CALLS].map((name) => ({ name })) } as AllureResult;
  openOnFailure(result);
  assert.deepEqual(
    result.steps.map(({ name }) => name),
    [FAILING_CALL, ALL_CALLS, 'a', 'b'],
  );
});
