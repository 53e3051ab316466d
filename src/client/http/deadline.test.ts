import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { Deadline } from './deadline.ts';

test('a limit is due after its time, for listeners and as a signal, and only once', async () => {
  const limit = new Deadline(1);
  let calls = 0;
  limit.onDue(() => calls++);
  const { signal } = limit;
  await new Promise((resolve) => signal.addEventListener('abort', resolve));
  assert.deepEqual([limit.isDue, limit.reached, calls], [true, true, 1]);
  limit.onDue(() => calls++);
  assert.equal(calls, 2, 'a late listener is called at once');
});

test('the outer signal makes it due too, with its reason, and then the limit was not reached', () => {
  const outer = new AbortController();
  const limits = [new Deadline(60_000, outer.signal), new Deadline(60_000, outer.signal)];
  const early = limits[0]?.signal;
  outer.abort('stopped by hand');
  for (const limit of [...limits, new Deadline(60_000, outer.signal)]) {
    assert.deepEqual([limit.isDue, limit.reached], [true, false]);
    assert.equal(limit.signal.reason, 'stopped by hand');
    limit.end();
  }
  assert.equal(early?.reason, 'stopped by hand');
});

test('a limit that was lifted or has ended is never due', async () => {
  const outer = new AbortController();
  const [lifted, ended] = [new Deadline(1), new Deadline(1, outer.signal)];
  lifted.lift();
  ended.end();
  outer.abort();
  await wait(20);
  assert.deepEqual([lifted.isDue, ended.isDue], [false, false]);
});

test('any number of limits listen to their outer signal once', () => {
  const outer = new AbortController();
  for (let index = 0; index < 100; index++) new Deadline(60_000, outer.signal).end();
  assert.equal(getEventListeners(outer.signal, 'abort').length, 1);
});
