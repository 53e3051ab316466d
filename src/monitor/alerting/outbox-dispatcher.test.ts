import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { fakeNotice } from '../../testing/monitor/fakes.ts';
import { temporaryHistory } from '../../testing/monitor/open-recorder.ts';
import { type ReceiverResponse, receiver } from '../../testing/monitor/receiver.ts';
import { until } from '../../testing/monitor/watched-service.ts';
import { addNotice, outboxState } from '../history/outbox.ts';
import type { NoticeKind } from '../status/due-notice.ts';
import { type Send, SendFailed } from './channel.ts';
import { channelTypes } from './channels/registry.ts';
import type { Notice } from './notice.ts';
import { OutboxDispatcher, RENEW_MS, waitMs } from './outbox-dispatcher.ts';

async function set(
  t: TestContext,
  reactions: readonly ReceiverResponse[],
  { deadlineMs = 5_000, send }: { readonly deadlineMs?: number; readonly send?: Send } = {},
) {
  const db = temporaryHistory(t);
  const server = await receiver(reactions);
  const said: string[] = [];
  const channels = new Map([['webhook', send ?? channelTypes.webhook.open({ WEBHOOK_URL: server.url })]]);
  const onTrouble = (text: string) => said.push(text);
  const dispatcher = new OutboxDispatcher({ db, channels, onTrouble, firstWaitMs: 60, deadlineMs });
  t.after(async () => {
    await dispatcher.stop(0);
    await server.end();
  });
  const put = (kind: NoticeKind, incident: number) => {
    const notice = { kind, incident, channel: 'webhook', body: JSON.stringify(fakeNotice(kind)) };
    addNotice(db, { ...notice, key: `k-${incident}-${kind}` }, Date.now());
  };
  const received = () => server.received.map(({ headers }) => headers['idempotency-key']);
  const when = (isTrue: () => boolean) =>
    until(() => {
      dispatcher.look();
      return isTrue();
    });
  /** Adds notices about incident 1, and waits until none is left to send. */
  const deliver = async (...kinds: readonly NoticeKind[]) => {
    for (const kind of kinds) put(kind, 1);
    await when(() => outboxState(db, ['webhook'], 0).waiting === 0);
    return {
      times: server.received.map(({ at }) => at),
      keys: received(),
      notices: server.received.map(({ body }) => JSON.parse(body) as Notice),
      givenUp: outboxState(db, ['webhook'], 0).givenUp,
    };
  };
  return { db, deliver, dispatcher, put, received, said, when };
}

for (const [name, when, keys] of [
  ['the outbox can not be written is not sent, and others are; then it is', 'UPDATE', ['k-2-down', 'k-1-down']],
  [
    'its outcome can not be written is sent again with the same key',
    'UPDATE OF sent',
    ['k-2-down', 'k-1-down', 'k-1-down'],
  ],
] as const)
  test(`a notice while ${name}`, async (t) => {
    const received: string[] = [];
    // The deadline is short, because the dispatcher also waits for so long if it can't record the outcome of an attempt. No attempt reaches
    // the deadline here, because `send` ends at once.
    const send: Send = async (_, { key }) => void received.push(key);
    const { db, put, said, when: looked } = await set(t, [], { deadlineMs: 200, send });
    const full = `WHEN NEW.incident = 1 BEGIN SELECT RAISE(ABORT, 'full'); END`;
    db.run(`CREATE TEMP TRIGGER full BEFORE ${when} ON notice ${full}`);
    put('down', 2);
    put('down', 1);
    await looked(() => said.some((text) => text.includes('full')) && received.includes('k-2-down'));
    db.run('DROP TRIGGER full');
    await looked(() => outboxState(db, ['webhook'], 0).waiting === 0);
    assert.deepEqual(received, keys);
  });

test('the end waits for what is under way, and begins nothing else', async (t) => {
  const arrival = Promise.withResolvers<void>();
  const keys: string[] = [];
  const { db, dispatcher, put, said } = await set(t, [], {
    send: (_, { key }) => {
      keys.push(key);
      return arrival.promise;
    },
  });
  put('down', 1);
  put('up', 1);
  dispatcher.look();
  const stopped = dispatcher.stop(60_000);
  arrival.resolve();
  await stopped;
  assert.deepEqual([keys, outboxState(db, ['webhook'], 0).waiting, said], [['k-1-down'], 1, []]);
});

test('silence, 500 and 429 are retried with the same key, after growing waits that really pass', async (t) => {
  // Long enough that the dispatcher doesn't give up on a slow response on a busy machine.
  const deadlineMs = 1_500;
  const { deliver } = await set(t, ['silent', 500, { status: 429, retryAfter: '1' }], { deadlineMs });
  const started = performance.now();
  const { keys, times } = await deliver('down');
  assert.deepEqual(keys, Array(4).fill('k-1-down'));
  // The shortest correct waits: the deadline plus 60 ms, then 120 ms, then the second that the receiver asked for. Each measured wait
  // includes the time to process the earlier request, so on a busy machine it can only be longer.
  for (const [index, least] of [deadlineMs + 60, 120, 1_000].entries()) {
    const wait = (times[index + 1] ?? 0) - (index === 0 ? started : (times[index] ?? 0));
    assert.ok(wait >= least - 5, `wait ${index + 1} was ${wait} ms, not ${least}`);
  }
});

test('"recovered" never overtakes "down", and other incidents do not wait', async (t) => {
  const keys: string[] = [];
  const { put, when } = await set(t, [], {
    send: async (_, { key }) => {
      keys.push(key);
      if (key === 'k-1-down' && !keys.includes('k-2-up')) throw new SendFailed('refused');
    },
  });
  for (const incident of [1, 2]) for (const kind of ['down', 'up'] as const) put(kind, incident);
  await when(() => keys.includes('k-1-up'));
  assert.deepEqual([...new Set(keys)], ['k-1-down', 'k-2-down', 'k-2-up', 'k-1-up']);
});

const PLAIN = ['full', 'plain', 'up'];
for (const [name, reactions, sent, undelivered] of [
  ['is refused for good without its details, too, is given up loudly, and "up" says so', [413, 413], PLAIN, ['down']],
  ['is taken without its details has arrived, and "up" says nothing of it', [413], PLAIN, undefined],
  ['is, after a busy receiver', [400, 503, 400], ['full', 'plain', 'full', 'plain', 'up'], undefined],
] as const)
  test(`what ${name}`, async (t) => {
    const { deliver, said } = await set(t, reactions);
    const { notices, givenUp } = await deliver('down', 'up');
    const forms = notices.map(({ kind, scenarios }) =>
      kind === 'up' ? kind : scenarios.length > 0 ? 'full' : 'plain',
    );
    assert.deepEqual(forms, sent);
    const up = notices.at(-1);
    const lost = said.filter((line) => !line.startsWith('NOTICE DELAYED')).join();
    assert.deepEqual([up?.undelivered, givenUp], [undelivered, undelivered ? 1 : 0]);
    assert.match(up?.headline ?? '', undelivered ? /up; the notice that it was down was not delivered here$/ : / up$/);
    const loud = /NOT DELIVERED: channel webhook gave up after 1 attempt: the receiver returned status 413/;
    assert.match(lost, undelivered ? loud : /^$/);
  });

test('a channel that was dead for hours gets what it was tried with, unchanged, then what is true now, and that a notice is lacking', async (t) => {
  const { db, put, deliver, received, said, when } = await set(t, [500, 500, 500, 500]);
  put('down', 1);
  await when(() => received().length === 2);
  const { keys, notices, givenUp } = await deliver('more', 'still', 'up');
  assert.deepEqual([...new Set(keys)], ['k-1-down', 'k-1-up']);
  assert.deepEqual(new Set(notices.slice(0, -1).map((notice) => JSON.stringify(notice))).size, 1);
  const up = notices.at(-1);
  assert.match(up?.headline ?? '', /up; an earlier notice was not delivered here$/);
  assert.deepEqual([up?.undelivered, givenUp], [['more'], 0]);
  assert.deepEqual(said, [
    'NOTICE DELAYED: channel webhook did not accept it, and the monitor tries again: the receiver returned status 500',
  ]);
  assert.equal(
    db.get(`SELECT count(*) AS count FROM notice WHERE error = 'a newer notice was sent instead'`)?.count,
    2,
  );
});

test('a reminder that a newer notice replaced is no loss', async (t) => {
  const { put, deliver, received, when } = await set(t, [500, 500]);
  put('down', 1);
  await when(() => received().length === 2);
  const { notices } = await deliver('still', 'up');
  assert.match(notices.at(-1)?.headline ?? '', / up$/);
});

test('waits double up to the longest, and are as long as asked for up to it; after a day of attempts, a notice is given up', () => {
  const wait = (attempts: number, retryAfterMs = 0) => waitMs(new SendFailed('x', { retryAfterMs }), attempts, 2_000);
  assert.deepEqual(
    [1, 2, 3, 8, 20, 299, 300].map((n) => wait(n)),
    [2_000, 4_000, 8_000, 256_000, 300_000, 300_000, undefined],
  );
  assert.deepEqual(
    [0, 60_000, 300_001, Number.POSITIVE_INFINITY].map((ms) => wait(1, ms)),
    [2_000, 60_000, 300_000, 300_000],
  );
  assert.equal(waitMs(new SendFailed('x', { isFinal: true }), 1, 2_000), undefined);
});

/**
 * For each channel: the notices sent about one incident, and the notices that the dispatcher sends again if their last delivery is old. It
 * sends notices again only to receivers that forget alerts.
 */
const renewals: readonly (readonly [channel: string, sent: readonly NoticeKind[], again: readonly NoticeKind[]])[] = [
  ['alertmanager', ['down'], ['down']],
  ['alertmanager', ['down', 'more'], ['more']],
  ['alertmanager', ['down', 'still'], ['still']],
  ['alertmanager', ['down', 'up'], []],
  ['webhook', ['down'], []],
];

for (const [channel, sent, again] of renewals)
  test(`${channel}, some minutes after ${sent.join(' and ')}: ${again.join() || 'nothing'} again, once`, async (t) => {
    const db = temporaryHistory(t);
    const posted: string[] = [];
    const send: Send = async ({ kind }) => void posted.push(kind);
    const dispatcher = new OutboxDispatcher({ db, channels: new Map([[channel, send]]), onTrouble: assert.fail });
    t.after(() => dispatcher.stop(0));
    const settled = () =>
      until(() => {
        dispatcher.look();
        return outboxState(db, [channel], 0).waiting === 0;
      });
    for (const kind of sent) {
      addNotice(db, { kind, incident: 1, channel, body: JSON.stringify(fakeNotice(kind)) }, Date.now());
      await settled();
    }
    assert.deepEqual(posted, sent);
    db.run('UPDATE notice SET sent = sent - ?', RENEW_MS);
    await settled();
    assert.deepEqual(posted, [...sent, ...again]);
    // After a renewal, the dispatcher must still send the recovery, and only once.
    if (again.length === 0) return;
    addNotice(db, { kind: 'up', incident: 1, channel, body: JSON.stringify(fakeNotice('up')) }, Date.now());
    await settled();
    db.run('UPDATE notice SET sent = sent - ?', RENEW_MS);
    await settled();
    assert.deepEqual(posted, [...sent, ...again, 'up']);
  });

for (const [days, times] of [
  [1, 2],
  [-1, 1],
] as const)
  test(`alertmanager: a credential that expires in ${days} days is posted ${times} times`, async (t) => {
    const db = temporaryHistory(t);
    let posted = 0;
    const send: Send = async () => void posted++;
    const dispatcher = new OutboxDispatcher({
      db,
      channels: new Map([['alertmanager', send]]),
      onTrouble: assert.fail,
    });
    t.after(() => dispatcher.stop(0));
    const notice = fakeNotice('expiring', { until: new Date(Date.now() + days * 86_400_000).toISOString() });
    addNotice(db, { kind: 'expiring', incident: 0, channel: 'alertmanager', body: JSON.stringify(notice) }, Date.now());
    for (const _ of [1, 2]) {
      await until(() => {
        dispatcher.look();
        return outboxState(db, ['alertmanager'], 0).waiting === 0;
      });
      db.run('UPDATE notice SET sent = sent - ?', RENEW_MS);
    }
    assert.equal(posted, times);
  });
