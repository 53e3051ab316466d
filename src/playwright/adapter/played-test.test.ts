import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Failure, ScenarioResult } from '../../run/ending/index.ts';
import { isSkippedFor } from './played-test.ts';

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
