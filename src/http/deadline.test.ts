import assert from 'node:assert/strict';
import { getEventListeners, once } from 'node:events';
import { get } from 'node:http';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { Deadline } from './deadline.ts';

const respondElsewhere = `
  const { parentPort, workerData } = require('node:worker_threads');
  const server = require('node:http').createServer((_, response) => {
    response.on('finish', () => {
      Atomics.store(workerData, 0, 1);
      Atomics.notify(workerData, 0);
    });
    response.end();
  });
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
`;

test('a limit is reached after its time', async () => {
  const limit = new Deadline(1);
  await once(limit.signal, 'abort');
  assert.deepEqual([limit.reached, limit.signal.reason.name], [true, 'TimeoutError']);
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

test('what arrived while this process stood still is read before the limit is reached', async (t) => {
  const answered = new Int32Array(new SharedArrayBuffer(4));
  const elsewhere = new Worker(respondElsewhere, { eval: true, workerData: answered });
  t.after(() => elsewhere.terminate());
  const [port] = await once(elsewhere, 'message');
  const request = get({ host: '127.0.0.1', port });
  await once(request, 'finish');
  const limit = new Deadline(1);
  Atomics.wait(answered, 0, 0);
  standStill(50);
  const [response] = await once(request, 'response', { signal: limit.signal });
  assert.equal(response.statusCode, 200);
  limit.end();
});

test('the time that this process was late for a limit is given back, once', async () => {
  const limit = new Deadline(50);
  const due = wait(50);
  const reached = once(limit.signal, 'abort');
  standStill(200);
  await due;
  assert.equal(limit.reached, false);
  standStill(200);
  await reached;
  assert.equal(limit.reached, true);
});

function standStill(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
