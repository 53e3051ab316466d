import assert from 'node:assert/strict';
import { getEventListeners, once } from 'node:events';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { Deadline } from './deadline.ts';

test('a limit is reached after its time', async () => {
  const limit = new Deadline(1);
  await once(limit.signal, 'abort');
  assert.equal(limit.reached, true);
});

test('the outer signal makes it due too, with its reason, and then the limit was not reached', async () => {
  const outer = new AbortController();
  const limits = [new Deadline(60_000, outer.signal), new Deadline(1, outer.signal)];
  outer.abort('stopped by hand');
  limits.push(new Deadline(60_000, outer.signal));
  await wait(20);
  for (const limit of limits) {
    assert.deepEqual([limit.reached, limit.signal.reason], [false, 'stopped by hand']);
    limit.end();
  }
});

test('a limit that was lifted or has ended is never due, and no longer listens', async () => {
  const outer = new AbortController();
  const [lifted, ended] = [new Deadline(1), new Deadline(1, outer.signal)];
  lifted.lift();
  ended.end();
  assert.equal(getEventListeners(outer.signal, 'abort').length, 0);
  await wait(20);
  assert.deepEqual([lifted.signal.aborted, ended.signal.aborted], [false, false]);
});
