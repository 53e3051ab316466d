import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { fakeNotice } from '../../../testing/monitor/fake-notice.ts';
import { type ReceiverResponse, receiver } from '../../../testing/monitor/receiver.ts';
import { SendFailed } from '../channel.ts';
import { pagerduty } from './pagerduty.ts';
import { slack } from './slack.ts';
import { webhook } from './webhook.ts';

const sending = (ms = 5_000) => ({ key: 'key-1', signal: AbortSignal.timeout(ms), now: Date.now() });

async function started(t: TestContext, reactions: readonly ReceiverResponse[] = []) {
  const server = await receiver(reactions);
  t.after(server.end);
  return server;
}

test('webhook: the notice as JSON, signed over time and body, with its key', async (t) => {
  const { url, received } = await started(t);
  const notice = fakeNotice('down');
  await webhook.open({ WEBHOOK_URL: url, WEBHOOK_SECRET: 'sixteen characters' })(notice, sending());
  const [request] = received;
  assert.deepEqual(JSON.parse(request?.body ?? ''), notice);
  assert.equal(request?.headers['idempotency-key'], 'key-1');
  const [, seconds, signature] =
    /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(request?.headers['x-sextant-signature'])) ?? [];
  assert.equal(
    signature,
    createHmac('sha256', 'sixteen characters').update(`${seconds}.${request?.body}`).digest('hex'),
  );
});

test('slack: the whole notice as one text, with markup characters escaped', async (t) => {
  const { url, received } = await started(t);
  await slack.open({ SLACK_WEBHOOK_URL: url })(fakeNotice('down'), sending());
  const { text } = JSON.parse(received[0]?.body ?? '');
  assert.match(text, /^:red_circle: \*staging: .*down\*/);
  assert.match(text, /block \(Friends\): failed\n {2}documented: the list/);
  assert.match(text, /mentions &lt;b&gt; &amp; more/);
  assert.match(text, /curl -sS .*bearer \*\*\*/);
  assert.match(text, /http:\/\/page\.test\/incidents#incident-1/);
});

test('pagerduty: triggered and resolved under one key', async (t) => {
  const { url, received } = await started(t, [202, 202]);
  const send = pagerduty.open({ PAGERDUTY_ROUTING_KEY: 'r', PAGERDUTY_URL: url });
  for (const kind of ['down', 'up'] as const) await send(fakeNotice(kind), sending());
  const events = received.map(({ body }) => JSON.parse(body));
  assert.deepEqual(
    events.map(({ event_action, dedup_key, routing_key }) => [event_action, dedup_key, routing_key]),
    [
      ['trigger', 'i-1', 'r'],
      ['resolve', 'i-1', 'r'],
    ],
  );
  assert.equal(events[0].payload.severity, 'critical');
});

test('a failure shows the response but never the address, which may be the credential', async (t) => {
  const rows: [ReceiverResponse, RegExp, boolean, number | undefined][] = [
    [500, /returned status 500/, false, undefined],
    [404, /returned status 404/, false, undefined],
    [400, /returned status 400/, true, undefined],
    [307, /returned status 307/, false, undefined],
    [{ status: 429, retryAfter: '7' }, /returned status 429/, false, 7_000],
    ['silent', /did not respond in time/, false, undefined],
  ];
  const { url } = await started(
    t,
    rows.map(([reaction]) => reaction),
  );
  const send = webhook.open({ WEBHOOK_URL: url });
  const fails = (pattern: RegExp, isFinal: boolean, retryAfterMs?: number) => (error: unknown) => {
    assert.ok(error instanceof SendFailed);
    assert.match(error.message, pattern);
    assert.doesNotMatch(`${error.message} ${error.stack}`, /secret-path/);
    assert.deepEqual([error.isFinal, error.retryAfterMs], [isFinal, retryAfterMs]);
    return true;
  };
  for (const [reaction, pattern, isFinal, retryAfterMs] of rows)
    await assert.rejects(
      send(fakeNotice('down'), sending(reaction === 'silent' ? 50 : 5_000)),
      fails(pattern, isFinal, retryAfterMs),
    );
  const nobody = webhook.open({ WEBHOOK_URL: 'http://127.0.0.1:1/secret-path' });
  await assert.rejects(nobody(fakeNotice('down'), sending()), fails(/could not be reached/, false));
});
