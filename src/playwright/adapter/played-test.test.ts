import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TestInfo } from '@playwright/test';
import type { Failure, ScenarioResult } from '../../run/ending/index.ts';
import { FAILING_CALL } from '../../scenario/index.ts';
import { fakeExchange } from '../../testing/contract/fake-response.ts';
import { ownFolder } from '../../testing/own-folder.ts';
import { testEnvironment } from '../../testing/test-environment.ts';
import { ExpectationError } from '../../verdict/index.ts';
import { isSkippedFor, PlayedTest } from './played-test.ts';

process.env.SEXTANT_OUTPUT = ownFolder();

const rows: [name: string, verdict: ScenarioResult['verdict'], merely: Failure['merely'][], isSkipped: boolean][] = [
  ['a skip', 'skipped', [], true],
  ['what was not tried', 'refused', ['not tried'], true],
  ['what was not tried, nor its clean-up', 'unreachable', ['not tried', 'clean-up'], true],
  ['what was not tried beside what broke', 'refused', ['not tried', undefined], false],
  ['a refusal', 'refused', [undefined, 'clean-up'], false],
  ['a clean-up that failed', 'failed', ['clean-up'], false],
  ['a failure without a cause of its own', 'unknown', [], false],
];

for (const [name, verdict, all, isSkipped] of rows)
  test(`Playwright ${isSkipped ? 'skips' : 'fails'} a test for ${name}`, () => {
    const failures = all.map((merely) => ({ verdict, category: verdict, reason: '', ...(merely ? { merely } : {}) }));
    assert.equal(isSkippedFor({ verdict, failures }), isSkipped);
  });

test('a test that fails in its start has the failing call in the report', async () => {
  const hooks = { _failWithError: () => {}, _runWithTimeout: () => {} };
  const place = { file: 'a.spec.ts', line: 1, column: 1, titlePath: ['', 'love'] };
  const info = { ...hooks, ...place, attachments: [] as { name: string }[], status: 'failed', timeout: 0 };
  const error = new ExpectationError(fakeExchange({}), { verdict: 'failed', claim: 'assumed: x', observed: 'y' });
  const played = new PlayedTest(info as unknown as TestInfo, testEnvironment('http://127.0.0.1:9'));
  await assert.rejects(played.endBefore(error), error);
  assert.deepEqual(info.attachments.map(({ name }) => name).sort(), [FAILING_CALL, 'result']);
});
