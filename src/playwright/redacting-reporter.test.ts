import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import type { TestCase, TestResult, TestStep } from '@playwright/test/reporter';
import { Secret } from '../redaction/index.ts';
import RedactingReporter from './redacting-reporter.ts';

const secret = new Secret('canary+token/of-the-reporter');
const text = `with ${encodeURIComponent(secret.reveal())}`;
const errorWith = (cause?: object) => ({
  message: text,
  stack: text,
  snippet: text,
  value: text,
  ...(cause ? { cause } : {}),
});

test('an error shows the source of a spec, and none of Sextant’s', () => {
  const shownOf = (file: string) => {
    const error = { ...errorWith(), location: { file: join(import.meta.dirname, file), line: 1, column: 1 } };
    new RedactingReporter().onError(error);
    return Object.keys(error).filter((key) => ['snippet', 'location'].includes(key));
  };
  assert.deepEqual(shownOf('../scenario/data/stored-item.ts'), []);
  for (const file of ['../../tests/scenarios/love.spec.ts', '../../tests/helpers/own.ts'])
    assert.deepEqual(shownOf(file), ['snippet', 'location']);
});

for (const [title, type, expected] of [
  ['that kept its worker', 'tag', 'passed'],
  ['in quarantine', 'quarantine', 'failed'],
] as const)
  test(`a failure ${title} was expected to have ${expected}`, () => {
    const failed = { annotations: [{ type }], errors: [], stdout: [], stderr: [] } as unknown as TestResult;
    const testCase = { annotations: [], expectedStatus: 'failed' } as unknown as TestCase;
    new RedactingReporter().onTestEnd(testCase, failed);
    assert.equal(testCase.expectedStatus, expected);
  });

test('what the other reporters are handed holds no secret', () => {
  const step = { title: text, error: errorWith(errorWith()) } as unknown as TestStep;
  const result = {
    annotations: [{ type: 'skip', description: text }, { type: 'fixme' }],
    errors: [errorWith(errorWith())],
    stdout: [text, Buffer.from(text)],
    stderr: [text],
  } as unknown as TestResult;
  const testCase = { annotations: [{ type: 'skip', description: text }] } as unknown as TestCase;
  const lone = errorWith();
  const reporter = new RedactingReporter();
  reporter.onStepEnd(testCase, result, step);
  reporter.onTestEnd(testCase, result);
  reporter.onError(lone);
  const shown = JSON.stringify([step, result, testCase, lone]);
  assert.doesNotMatch(shown, /canary/);
  assert.equal(shown.match(/with \*\*\*/g)?.length, 26);
});
