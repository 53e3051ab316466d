import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Verdict } from '../../client/index.ts';
import { healthOfRun, indicatorOf, needsConfirmation, passedOnRetry } from './run-health.ts';

const rows: [Verdict, Verdict | undefined, string][] = [
  ['passed', undefined, 'up good'],
  ['slow', undefined, 'degraded good'],
  ['drifted', undefined, 'degraded good'],
  ['failed', undefined, 'down bad confirm'],
  ['refused', undefined, 'down bad confirm'],
  ['unreachable', undefined, 'down bad confirm'],
  ['unknown', undefined, 'unknown -'],
  ['skipped', undefined, 'unknown -'],
  // The first attempt stays the indicator, whatever the result of the second.
  ['failed', 'failed', 'down bad confirm'],
  ['failed', 'unreachable', 'down bad confirm'],
  ['failed', 'passed', 'up bad confirm retried'],
  ['unreachable', 'slow', 'degraded bad confirm retried'],
  ['failed', 'unknown', 'unknown bad confirm'],
];

test('the health that a run shows, from its first attempt and the one that confirms it', () => {
  for (const [first, second, expected] of rows) {
    const one = { verdict: first };
    const two = second && { verdict: second };
    const words = [healthOfRun(one, two), indicatorOf(one) ?? '-'];
    if (needsConfirmation(one)) words.push('confirm');
    if (passedOnRetry(one, two)) words.push('retried');
    assert.equal(words.join(' '), expected, `${first}, ${second}`);
  }
});
