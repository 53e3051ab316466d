import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type OwnTimeLimit, ownTimeLimit } from './time-limits.ts';

/** Replaces timers and the clock. Returns a function that advances both by `ms`. */
function stoppedTime(t: TestContext): (ms: number) => void {
  let now = 0;
  t.mock.timers.enable({ apis: ['setTimeout'] });
  t.mock.method(performance, 'now', () => now);
  return (ms) => {
    for (let left = ms; left > 0; left -= 10) {
      now += Math.min(10, left);
      t.mock.timers.tick(Math.min(10, left));
    }
  };
}

/** Begins a call, and returns a function that ends the call. */
function call({ during }: OwnTimeLimit) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const done = during(() => promise);
  return () => {
    resolve();
    return done;
  };
}

test('time outside of calls is limited, time in them is not', async (t) => {
  const pass = stoppedTime(t);
  const limit = ownTimeLimit(1_000, 10);
  pass(400);
  const end = call(limit);
  pass(5_000);
  assert.equal(limit.signal.aborted, false, 'in a call');
  await end();
  pass(590);
  assert.equal(limit.signal.aborted, false);
  pass(20);
  assert.deepEqual([limit.signal.aborted, limit.reached], [true, '1000 ms, its calls apart']);
});

test('calls side by side count as one', async (t) => {
  const pass = stoppedTime(t);
  const limit = ownTimeLimit(1_000, 10);
  const ends = [call(limit), call(limit)];
  for (const end of ends) {
    pass(600);
    await end();
  }
  pass(990);
  assert.equal(limit.signal.aborted, false);
  pass(20);
  assert.equal(limit.signal.aborted, true);
});

test('more calls than allowed end it; its end removes the limit', async (t) => {
  const pass = stoppedTime(t);
  const limit = ownTimeLimit(1_000, 1);
  await limit.during(async () => {});
  assert.equal(limit.signal.aborted, false);
  await limit.during(async () => {});
  assert.equal(limit.reached, '1 calls');
  const ended = ownTimeLimit(1_000, 10);
  ended.end();
  pass(5_000);
  assert.equal(ended.signal.aborted, false);
});
