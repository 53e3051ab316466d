import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { isOutOfTime, type ScenarioResult, STOPPED, stopsOf } from '../../runner/index.ts';
import { judgementsIn, timeLimit, unreachedAfter } from './check-environments.ts';

for (const [deadlineMs, stopMs, endMs] of [
  [1_000, 800, 900],
  [5_000, 4_000, 4_800],
  [50_000, 40_000, 49_000],
  [3_600_000, 2_880_000, 3_599_000],
] as const)
  test(`of ${deadlineMs} ms, scenarios stop at ${stopMs} and clean-up at ${endMs}`, () => {
    assert.deepEqual(stopsOf(deadlineMs), { stopMs, endMs });
  });

test('the time that has passed already counts', () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  try {
    const { stop, end } = timeLimit(50_000, 3_000, new AbortController().signal);
    mock.timers.tick(36_999);
    assert.deepEqual([stop.aborted, end?.aborted], [false, false]);
    mock.timers.tick(1);
    assert.deepEqual([stop.aborted, end?.aborted, isOutOfTime(stop)], [true, false, true]);
    mock.timers.tick(9_000);
    assert.equal(end?.aborted, true);
  } finally {
    mock.timers.reset();
  }
});

test("the user's stop isn't the end of the time, and clean-up goes on", () => {
  const user = new AbortController();
  const { stop, end } = timeLimit(50_000, 0, user.signal);
  user.abort();
  assert.deepEqual([stop.aborted, isOutOfTime(stop), end?.aborted], [true, false, false]);
  assert.deepEqual(timeLimit(undefined, 0, user.signal), { stop: user.signal });
});

type How = ScenarioResult['unreached'];
const waits = 'not started';

const rows: [name: string, before: string[], results: Record<string, How>, after: string[]][] = [
  ['all were reached', ['a'], { a: undefined, b: undefined }, []],
  ['in the order of the check', [], { a: undefined, b: waits, c: waits }, ['b', 'c']],
  ['what has waited longest comes first', ['c', 'b'], { a: waits, b: waits, c: waits }, ['c', 'b', 'a']],
  ['what was cut short comes last', ['b'], { a: waits, b: 'cut short', c: 'cut short' }, ['a', 'b', 'c']],
  ['a check of another choice keeps what waits', ['x', 'b'], { a: undefined, b: undefined }, ['x']],
];

for (const [name, before, results, after] of rows)
  test(`unreached: ${name}`, () => {
    const all = Object.entries(results).map(([title, unreached]) => ({ title, ...(unreached ? { unreached } : {}) }));
    assert.deepEqual(unreachedAfter(before, all), after);
  });

test('what a check did not come to is not missed; what it could not judge is', () => {
  const results = [
    { title: 'late', verdict: 'skipped', unreached: waits },
    { title: 'cut', verdict: 'skipped', unreached: 'cut short' },
    { title: 'stopped', verdict: 'unknown', reason: STOPPED },
    { title: 'throttled', verdict: 'unknown', reason: '429' },
    { title: 'wrong', verdict: 'failed', reason: '500' },
  ] as const;
  const judged = judgementsIn(results).map(({ title, isJudged }) => `${title} ${isJudged}`);
  assert.deepEqual(judged, ['throttled false', 'wrong true']);
});
