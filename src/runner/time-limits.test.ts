import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { ownTimeLimit } from './time-limits.ts';

/** Time that passes only on demand, for timers and for the clock. */
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

/** A call that is under way until it is ended. */
function call() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { work: () => promise, end: resolve };
}

test('time outside of calls is limited, time in them is not', async (t) => {
  const pass = stoppedTime(t);
  const limit = ownTimeLimit(1_000, 10);
  pass(400);
  const first = call();
  const done = limit.during(first.work);
  pass(5_000);
  assert.equal(limit.signal.aborted, false, 'in a call, also after the timer fired');
  first.end();
  await done;
  pass(590);
  assert.equal(limit.signal.aborted, false);
  pass(20);
  assert.deepEqual([limit.signal.aborted, limit.reached], [true, '1000 ms, its calls apart']);
});

test('calls side by side count as one, and a timer that fires between calls waits for the rest', async (t) => {
  const pass = stoppedTime(t);
  const limit = ownTimeLimit(1_000, 10);
  const [one, other] = [call(), call()];
  const both = [limit.during(one.work), limit.during(other.work)];
  pass(600);
  one.end();
  await both[0];
  pass(300);
  other.end();
  await both[1];
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
