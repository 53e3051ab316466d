import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { test } from 'node:test';
import { unlessAborted } from './unless-aborted.ts';

test('all who wait on a signal are stopped by it, and share a listener, which the last one removes', async () => {
  const stopping = new AbortController();
  const { signal } = stopping;
  const listeners = () => getEventListeners(signal, 'abort').length;
  const { promise: never } = Promise.withResolvers<string>();
  assert.equal(await unlessAborted(Promise.resolve('done'), signal), 'done');
  assert.equal(listeners(), 0);
  const works = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
  const waits = works.map(({ promise }) => unlessAborted(promise, signal));
  assert.equal(listeners(), 1);
  works[0]?.resolve('first');
  assert.equal(await waits[0], 'first');
  assert.equal(listeners(), 1);
  works[1]?.reject(new Error('second'));
  await assert.rejects(waits[1] as Promise<string>, /second/);
  assert.equal(listeners(), 0);
  const stopped = [unlessAborted(never, signal), unlessAborted(never, signal, 1)];
  stopping.abort();
  const all = [...stopped, unlessAborted(never, signal)];
  await Promise.all(all.map((each) => assert.rejects(each, { name: 'AbortError' })));
  assert.equal(listeners(), 0);
});
