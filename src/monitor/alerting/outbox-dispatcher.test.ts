import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fakeNotice } from '../../testing/monitor/fake-notice.ts';
import { temporaryFolder } from '../../testing/monitor/fakes.ts';
import { type ReceiverResponse, receiver } from '../../testing/monitor/receiver.ts';
import { HistoryDatabase } from '../history/database.ts';
import { addNotice, claimNotices, noticeFailed, noticeSent, outboxState } from '../history/outbox.ts';
import { systemClock } from '../schedule/clock.ts';
import { nextTryAt } from './backoff.ts';
import { SendFailed } from './channel.ts';
import { webhook } from './channels/webhook.ts';
import type { Notice } from './notice.ts';
import { OutboxDispatcher } from './outbox-dispatcher.ts';

const quick = { firstWaitMs: 60, longestWaitMs: 1_000, giveUpAfterMs: 60_000 };

async function set(t: TestContext, reactions: readonly ReceiverResponse[], retryPolicy = quick, deadlineMs = 150) {
  const { path, end } = temporaryFolder();
  const db = new HistoryDatabase(join(path, 'h.sqlite'));
  const server = await receiver(reactions);
  const said: string[] = [];
  const channels = new Map([['webhook', webhook.open({ WEBHOOK_URL: server.url })]]);
  const dispatcher = new OutboxDispatcher({
    db,
    clock: systemClock,
    channels,
    onTrouble: (text) => said.push(text),
    retryPolicy,
    deadlineMs,
  });
  t.after(async () => {
    await dispatcher.stop(0);
    server.end();
    db.close();
    end();
  });
  const put = (kind: Notice['kind'], incident: number) =>
    addNotice(
      db,
      { key: `k-${incident}-${kind}`, incident, channel: 'webhook', body: JSON.stringify(fakeNotice(kind)) },
      Date.now(),
    );
  return { db, server, dispatcher, put, said };
}

/** Waits for a condition; the runner ends a test that waits in vain. */
async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 10));
}

test('silence, 500 and 429 are retried with the same key, after growing waits that really pass', async (t) => {
  // Long enough that a slow response on a busy machine doesn't count as silence.
  const deadlineMs = 1_500;
  const { db, server, dispatcher, put } = await set(
    t,
    ['silent', 500, { status: 429, retryAfter: '1' }],
    quick,
    deadlineMs,
  );
  put('down', 1);
  const started = performance.now();
  dispatcher.start();
  await until(() => outboxState(db, 0).waiting === 0);
  const { received } = server;
  assert.equal(received.length, 4);
  assert.deepEqual([...new Set(received.map(({ headers }) => headers['idempotency-key']))], ['k-1-down']);
  const [, second, third, fourth] = received.map(({ at }) => at) as [number, number, number, number];
  // Minimum waits: the deadline plus 60 ms, 120 ms, and the second that the receiver asked for. Each is measured from before
  // the wait began (a response is sent as its request is recorded), so a busy machine can only lengthen it.
  const waits = [second - started, third - second, fourth - third];
  for (const [index, least] of [deadlineMs + 60, 120, 1_000].entries())
    assert.ok((waits[index] ?? 0) >= least - 5, `wait ${index + 1} was ${waits[index]} ms, not ${least}`);
});

test('"recovered" never overtakes "down", and other incidents do not wait', async (t) => {
  const { db, put } = await set(t, []);
  for (const [kind, incident] of [
    ['down', 1],
    ['up', 1],
    ['down', 2],
  ] as const)
    put(kind, incident);
  const now = Date.now() + 1;
  const claimed = (at: number) => claimNotices(db, at, 1_000);
  const [first, second] = claimed(now);
  assert.deepEqual([first?.key, second?.key], ['k-1-down', 'k-2-down']);
  noticeFailed(db, first?.id ?? 0, 'refused', now + 60_000);
  noticeSent(db, second?.id ?? 0, now);
  assert.deepEqual(claimed(now + 59_999), [], '"up" waits as long as "down" does');
  assert.deepEqual(
    claimed(now + 60_000).map(({ key }) => key),
    ['k-1-down'],
  );
  noticeSent(db, first?.id ?? 0, now + 60_001);
  assert.deepEqual(
    claimed(now + 60_002).map(({ key }) => key),
    ['k-1-up'],
  );
});

test('an undeliverable notice is given up and reported, and the next one is sent', async (t) => {
  const { db, server, dispatcher, put, said } = await set(t, [400]);
  put('down', 1);
  put('up', 1);
  dispatcher.start();
  await until(() => outboxState(db, 0).waiting === 0);
  assert.deepEqual(
    server.received.map(({ headers }) => headers['idempotency-key']),
    ['k-1-down', 'k-1-up'],
  );
  assert.equal(outboxState(db, 0).givenUp, 1);
  assert.match(said.join(), /NOT DELIVERED: channel webhook gave up after 1 attempt: the receiver returned status 400/);
});

test('a notice whose sender died is claimed again, with the same key', async (t) => {
  const { db, put } = await set(t, []);
  put('down', 1);
  const now = Date.now() + 1;
  assert.deepEqual(
    claimNotices(db, now, 1_000).map(({ key, attempts }) => [key, attempts]),
    [['k-1-down', 1]],
  );
  assert.deepEqual(claimNotices(db, now + 999, 1_000), []);
  assert.deepEqual(
    claimNotices(db, now + 1_000, 1_000).map(({ key, attempts }) => [key, attempts]),
    [['k-1-down', 2]],
  );
});

test('waits double up to the longest, are never shorter than asked for, and end', () => {
  const retryPolicy = { firstWaitMs: 2_000, longestWaitMs: 300_000, giveUpAfterMs: 86_400_000 };
  const next = (attempts: number, error: unknown, age = 0) =>
    nextTryAt(error, { attempts, created: 1_000_000 - age }, 1_000_000, retryPolicy);
  const failure = new SendFailed('x');
  assert.deepEqual(
    [1, 2, 3, 8, 20].map((n) => (next(n, failure) ?? 0) - 1_000_000),
    [2_000, 4_000, 8_000, 256_000, 300_000],
  );
  assert.equal((next(1, new SendFailed('x', { retryAfterMs: 60_000 })) ?? 0) - 1_000_000, 60_000);
  assert.equal(next(3, failure, 86_400_000), undefined);
  assert.equal(next(1, new SendFailed('x', { isFinal: true })), undefined);
});
