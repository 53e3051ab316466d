import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Verdict } from '../client/index.ts';
import { fakeResult } from '../testing/monitor/fakes.ts';
import { afterQuarantine } from './run-all.ts';

const entry = { title: 'love', owner: 'ann', until: '2026-12-24', reason: 'STORY-1' };
const during = Date.parse('2026-12-01T00:00:00Z');
const afterwards = Date.parse('2026-12-25T00:00:00Z');
const result = (verdict: Verdict) => fakeResult(verdict, 0, { title: 'love', reason: 'assumed: x — 500' });
const until = 'quarantined until 2026-12-24 (ann): STORY-1';
const over = 'its quarantine ended on 2026-12-24 (ann): remove it from quarantine.json, or give a later date';

const rows: [before: Verdict, now: number, after: Verdict, reason: string][] = [
  ['failed', during, 'skipped', `${until} — failed: assumed: x — 500`],
  ['unreachable', during, 'skipped', `${until} — unreachable: assumed: x — 500`],
  ['unknown', during, 'skipped', `${until} — unknown: assumed: x — 500`],
  ['failed', afterwards, 'failed', `assumed: x — 500; ${over}`],
  ['passed', afterwards, 'unknown', `it passed, but ${over}`],
  ['skipped', afterwards, 'skipped', 'assumed: x — 500'],
  ['passed', during, 'passed', 'assumed: x — 500'],
];
for (const [before, now, verdict, reason] of rows)
  test(`${before} ${now === during ? 'during' : 'after'} its quarantine: ${verdict}`, () => {
    const counted = afterQuarantine(result(before), [entry], 'qa', now);
    assert.deepEqual([counted.verdict, counted.reason], [verdict, reason]);
  });

test('a scenario that passes in quarantine is worth a word, and others are left alone', () => {
  assert.deepEqual(afterQuarantine(result('passed'), [entry], 'qa', during).warnings, [`passed, though ${until}`]);
  const other = { ...result('failed'), title: 'block' };
  assert.equal(afterQuarantine(other, [entry], 'qa', during), other);
});
