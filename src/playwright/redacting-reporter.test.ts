import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TestCase, TestResult, TestStep } from '@playwright/test/reporter';
import { Secret } from '../client/index.ts';
import type { ResultDocument } from '../engine/run/index.ts';
import { tidyResult } from './allure/tidy-result.ts';
import { redactError, redactResult, redactStep } from './redacting-reporter.ts';

const secret = new Secret('canary+token/of-the-reporter');
const text = `with ${encodeURIComponent(secret.reveal())}`;
const errorWith = (cause?: object) => ({
  message: text,
  stack: text,
  snippet: text,
  value: text,
  ...(cause ? { cause } : {}),
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
  redactStep(step);
  redactResult(testCase, result);
  redactError(lone);
  const shown = JSON.stringify([step, result, testCase, lone]);
  assert.doesNotMatch(shown, /canary/);
  assert.equal(shown.match(/with \*\*\*/g)?.length, 26);
});

test('what Allure writes of a test holds no secret, in names, parameters or errors', () => {
  const result = {
    name: text,
    labels: [],
    parameters: [
      { name: 'Project', value: 'staging' },
      { name: 'id', value: text },
    ],
    titlePath: ['tests', 'scenarios', 'a.spec.ts'],
    statusDetails: { message: text, trace: text },
    steps: [{ name: text, steps: [], attachments: [], parameters: [{ name: text, value: text }] }],
    attachments: [{ name: text, type: 'text/plain', source: 'a.txt' }],
  } as unknown as Parameters<typeof tidyResult>[0];
  const found = {
    title: text,
    verdict: 'failed',
    category: 'failed',
    reason: text,
    exchanges: [],
  } as unknown as ResultDocument;
  tidyResult(result, () => found);
  assert.doesNotMatch(JSON.stringify(result), /canary/);
});
