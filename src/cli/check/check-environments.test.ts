import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { isOutOfTime, stopsOf } from '../../run/index.ts';
import { rotated, timeLimit } from './check-environments.ts';

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

test('each minute a check with a deadline begins with another scenario', () => {
  const begins = [0, 1, 2, 3].map((minute) => rotated(['a', 'b', 'c'], minute * 60_000).join(''));
  assert.deepEqual(begins, ['abc', 'bca', 'cab', 'abc']);
  assert.deepEqual(rotated([], 60_000), []);
});
