import assert from 'node:assert/strict';
import { test } from 'node:test';
import { state } from '../../testing/journal-state.ts';
import { noLongerJudged } from './last-judged.ts';

const at = (minute: number) => Date.UTC(2026, 10, 3, 11, minute);
const run = (minute: number, ...titles: [title: string, isJudged: boolean][]) =>
  noLongerJudged(
    'staging',
    titles.map(([title, isJudged]) => ({ title, isJudged, reason: isJudged ? undefined : 'unproven: why' })),
    at(minute),
  );

test('what was judged the last time and is not now is listed once, with its reason', () => {
  assert.ok(state);
  assert.deepEqual(run(0, ['love', true], ['never', false]), []);
  assert.deepEqual(run(5, ['other', true]), [], 'what was not chosen is not missed');
  assert.deepEqual(run(10, ['love', false], ['never', false]), [
    'staging: 1 scenario was judged the last time, and not now:',
    '  love (judged 2026-11-03 11:00 UTC): unproven: why',
  ]);
  assert.deepEqual(run(15, ['love', false]), []);
  assert.deepEqual(run(20, ['love', true]), []);
  assert.equal(run(25, ['love', false]).length, 2);
});

test('many are cut short', () => {
  const many = (isJudged: boolean) =>
    Array.from({ length: 30 }, (_, n): [string, boolean] => [`scenario ${n}`, isJudged]);
  run(0, ...many(true));
  const lines = run(1, ...many(false));
  assert.deepEqual([lines.length, lines.at(-1)], [12, '  and 20 more']);
});
