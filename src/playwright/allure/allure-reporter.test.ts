import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Suite, TestCase, TestResult } from '@playwright/test/reporter';
import { AllureReporter } from 'allure-playwright';
import { ownEnvironments } from '../../testing/own-folder.ts';
import { environmentText } from '../../testing/test-environment.ts';
import SuiteAllureReporter from './allure-reporter.ts';

Object.assign(process.env, ownEnvironments({ own: environmentText('http://127.0.0.1:9') }).env);

const attempt = (status: TestResult['status'], error?: string) =>
  ({
    status,
    duration: 7,
    errors: error ? [{ message: error }] : [],
    attachments: [],
    startTime: new Date(0),
  }) as unknown as TestResult;
const testCase = (title: string, ...results: TestResult[]) =>
  ({
    ...{ title, annotations: [], results, tags: [], location: { file: 'a.spec.ts', line: 1, column: 1 } },
    parent: { project: () => ({ name: 'own' }) },
  }) as unknown as TestCase;

test('a test that Ctrl-C ended is as the attempt before it, else skipped; one that never began is skipped, whatever another is called', async (t) => {
  const told: string[] = [];
  const own = AllureReporter.prototype;
  t.mock.method(own, 'onBegin', function (this: object) {
    Object.assign(this, { allureRuntime: {} });
  });
  t.mock.method(own, 'onTestBegin', () => {});
  t.mock.method(own, 'onEnd', async () => {});
  t.mock.method(own, 'onTestEnd', async ({ title, annotations }: TestCase, { status, errors }: TestResult) => {
    told.push([title, status, ...errors.map(({ message }) => message), annotations.at(-1)?.description].join(' · '));
  });
  const cut = attempt('interrupted', 'aborted');
  const [first, again] = [testCase('love', cut), testCase('block', attempt('failed', 'wrong'), cut)];
  // The same story in another environment.
  const never = testCase('love');
  const reporter = new SuiteAllureReporter();
  reporter.onBegin({ allTests: () => [first, again, never] } as unknown as Suite);
  for (const each of [first, again]) {
    reporter.onTestBegin(each);
    await reporter.onTestEnd(each, cut);
  }
  await reporter.onEnd();
  assert.deepEqual(told, [
    'love · skipped · aborted · the run was interrupted during this test',
    'block · failed · wrong · ',
    'love · skipped · the run ended before this test started',
  ]);
});
