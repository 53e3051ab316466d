import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Outcome, outcomeOf } from './outcome.ts';

type Results = Parameters<typeof outcomeOf>[0];
const of = (...verdicts: Results[number]['verdict'][]) => verdicts.map((verdict) => ({ verdict }));
const unreached = { verdict: 'skipped', unreached: 'cut short' } as const;

const rows: [title: string, results: Results, outcome: Outcome][] = [
  ['passed', of('passed'), { verdict: 'passed', success: true }],
  ['slow', of('slow'), { verdict: 'slow', success: true }],
  ['drifted', of('drifted'), { verdict: 'drifted', success: true }],
  ['failed', of('failed'), { verdict: 'failed', success: false }],
  ['refused', of('refused'), { verdict: 'refused', success: false }],
  ['unreachable', of('unreachable'), { verdict: 'unreachable', success: false }],
  ['unknown', of('unknown'), { verdict: 'unknown' }],
  ['skipped', of('skipped'), { verdict: 'skipped' }],
  ['out of time', [unreached], { verdict: 'skipped' }],
  ['all passed', of('passed', 'passed'), { verdict: 'passed', success: true }],
  ['one slow', of('passed', 'slow'), { verdict: 'slow', success: true }],
  ['one lacks data', of('passed', 'skipped'), { verdict: 'passed', success: true }],
  ['all lack data', of('skipped', 'skipped'), { verdict: 'unknown' }],
  ['one unknown', of('passed', 'unknown'), { verdict: 'unknown' }],
  ['one drifted, one unknown', of('drifted', 'unknown'), { verdict: 'unknown' }],
  ['one out of time', [...of('passed'), unreached], { verdict: 'unknown' }],
  ['one failed, one out of time', [...of('failed'), unreached], { verdict: 'failed', success: false }],
  ['one failed, one unknown', of('unknown', 'failed'), { verdict: 'failed', success: false }],
  ['refused and drifted', of('refused', 'drifted'), { verdict: 'refused', success: false }],
  ['nothing at all', [], { verdict: 'unknown' }],
];

for (const [title, results, outcome] of rows)
  test(`${title}: ${outcome.success ?? 'not judged'}, ${outcome.verdict}`, () => {
    assert.deepEqual(outcomeOf(results), outcome);
  });
