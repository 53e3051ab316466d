import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { Secret } from '../../../redaction/index.ts';
import { assertFits } from '../../../testing/document-schemas.ts';
import { fakeNotice, fakeSending } from '../../../testing/monitor/fakes.ts';
import { type ReceiverResponse, receiver } from '../../../testing/monitor/receiver.ts';
import { type ChannelType, type Send, SendFailed, sendTest } from '../channel.ts';
import { channelTypes } from './registry.ts';

const { discord, ntfy, pagerduty, slack, teams, telegram, webhook } = channelTypes;

/**
 * Opens a channel with these settings, sends these notices, and returns the requests that arrive at the receiver. `@` in a setting becomes
 * the receiver's address.
 */
async function arrived(
  t: TestContext,
  channel: ChannelType,
  settings: Record<string, string>,
  notices: readonly Parameters<Send>[0][] = [fakeNotice('down')],
) {
  const { url, received, end } = await receiver();
  t.after(end);
  const values = Object.entries(settings).map(([key, value]) => [key, value.replace('@', url)]);
  const send = channel.open(Object.fromEntries(values));
  for (const notice of notices) await send(notice, fakeSending());
  const all = received.map(({ headers, ...rest }) => ({
    ...rest,
    headers: headers as Record<string, string>,
    json: JSON.parse(rest.body),
  }));
  return all as [(typeof all)[number], ...typeof all];
}

for (const [name, secret, options] of [
  ['of Standard Webhooks', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', {}],
  ['of any other form', 'sixteen characters', { format: 'raw' }],
] as const)
  test(`webhook: the notice as JSON, signed with a secret ${name}; a ready verifier accepts it`, async (t) => {
    const notice = fakeNotice('down');
    const verifier = new Webhook(secret, options);
    const [{ body, headers: given }] = await arrived(t, webhook, { WEBHOOK_URL: '@', WEBHOOK_SECRET: secret }, [
      notice,
    ]);
    assert.deepEqual(verifier.verify(body, given), notice);
    assertFits('notice', JSON.parse(body));
    assert.throws(() => verifier.verify(`${body} `, given), /No matching signature/);
    assert.throws(() => verifier.verify(body, { ...given, 'webhook-id': 'another' }), /No matching signature/);
    assert.deepEqual([given['webhook-id'], given['idempotency-key']], ['key-1', 'key-1']);
  });

test('webhook: without a secret, nothing is signed', async (t) => {
  const [{ headers }] = await arrived(t, webhook, { WEBHOOK_URL: '@' });
  assert.doesNotMatch(Object.keys(headers).join(' '), /\bwebhook-|signature/);
});

const long = (length: number) =>
  fakeNotice('down', {
    headline: 'h'.repeat(length),
    scenarios: Array.from({ length: 200 }, (_, index) => ({
      title: `scenario ${index} ${'é'.repeat(40)}`,
      area: 'friends' as const,
      verdict: 'failed' as const,
      reason: `documented: \`\`\` *${index}* @everyone`,
      since: new Date(0).toISOString(),
      isOpen: true,
    })),
  });

/**
 * Each row has the settings of a chat, then the path, token and body of the expected request, and then the maximum length of the body, in
 * bytes.
 */
const chats: [name: string, channel: ChannelType, settings: Record<string, string>, expected: RegExp, most: number][] =
  [
    [
      'discord: an embed, in which nobody is mentioned and nothing is markup',
      discord,
      { DISCORD_WEBHOOK_URL: '@' },
      /{"parse":\[\]},"embeds":\[{"title":"🔴 staging: .*down","description":"```\\nDown since .*curl -sS .*bearer \*\*\*.*incident-1\\n```","url":"http:.*#incident-1"}/,
      4_600,
    ],
    [
      'telegram: one plain message to the chat',
      telegram,
      { TELEGRAM_BOT_TOKEN: '123:abc', TELEGRAM_CHAT_ID: '-100', TELEGRAM_URL: '@' },
      /^\/secret-path\/bot123:abc\/sendMessage - {"chat_id":"-100","text":"🔴 staging: .*down\\nDown since .*","link_preview_options":{"is_disabled":true}}$/,
      4_400,
    ],
    [
      'ntfy: JSON to the server of the topic',
      ntfy,
      { NTFY_URL: '@/your-topic', NTFY_TOKEN: 'tk_1' },
      /^\/secret-path\/ Bearer tk_1 {"topic":"your-topic","title":"🔴 staging: .*,"priority":5,"click":"http:.*#incident-1"}$/,
      4_700,
    ],
    [
      'teams: an Adaptive Card of a workflow, in which stars are no markup',
      teams,
      { TEAMS_WEBHOOK_URL: '@' },
      /{"type":"message","attachments":\[{"contentType":"application\/vnd\.microsoft\.card\.adaptive",.*"type":"AdaptiveCard","version":"1\.4".*"weight":"Bolder".*bearer \\\\\*\\\\\*\\\\\*.*"actions":\[{"type":"Action\.OpenUrl","title":"Open incident","url":"http:.*#incident-1"}\]/,
      28_000,
    ],
    [
      'slack: one text, with markup characters escaped',
      slack,
      { SLACK_WEBHOOK_URL: '@' },
      /"text":"\*🔴 staging: .*down\*\\n.*block \(Friends\): failed\\n {2}documented: the list mentions &lt;b&gt; &amp; more.*bearer \*\*\*.*#incident-1"}$/,
      4_500,
    ],
  ];

for (const [name, channel, settings, expected, most] of chats)
  test(`${name}, within its limits`, async (t) => {
    const [first, last] = await arrived(t, channel, settings, [fakeNotice('down'), long(900)]);
    assert.match(`${first.path} ${first.headers.authorization ?? '-'} ${first.body}`, expected);
    const bytes = Buffer.byteLength(last?.body ?? '');
    assert.ok(bytes <= most && bytes > 2_000, `${bytes}`);
    // The text is in a code block between two fences (```), so the message must contain no other fence. The link at the end must be
    // complete.
    if (channel === discord) assert.equal(last?.body.split('```').length, 3);
    assert.match(last?.body ?? '', /….*http:\/\/page\.test\/incidents#incident-1/s);
  });

test('ntfy: an address without a topic is refused', () =>
  assert.deepEqual(ntfy.keys.NTFY_URL?.check('https://ntfy.sh/'), { problem: 'has no topic in its path' }));

test('pagerduty: triggered and resolved under one key', async (t) => {
  const settings = { PAGERDUTY_ROUTING_KEY: 'r', PAGERDUTY_URL: '@' };
  const events = await arrived(t, pagerduty, settings, [fakeNotice('down'), fakeNotice('up')]);
  const texts = events.map(({ json }) => [json.event_action, json.dedup_key, json.routing_key, json.payload.severity]);
  assert.deepEqual(texts.map(String), ['trigger,i-1,r,critical', 'resolve,i-1,r,critical']);
});

const failures: [name: string, reaction: ReceiverResponse, said: RegExp, isFinal?: boolean, retryAfterMs?: number][] = [
  ['no reason', 500, /^the receiver returned status 500$/],
  ...[400, 413, 414, 422].map((status): (typeof failures)[number] => [`${status}`, status, /status \d+$/, true]),
  ['another address', 307, /returned status 307$/],
  ['a limit', { status: 429, retryAfter: '7' }, /returned status 429$/, false, 7_000],
  ['silence', 'silent', /did not respond in time$/],
  ['a word', { status: 404, body: 'no_service' }, /^the receiver returned status 404: no_service$/],
  ['JSON', { status: 404, body: '{"message":"Unknown Webhook"}' }, /status 404: \{"message":"Unknown Webhook"\}$/],
  ['its own address', { status: 404, body: 'no hook /secret-path' }, /status 404: no hook \/\*\*\*$/],
  ['a page', { status: 404, body: '<html><body>Not found</body></html>' }, /status 404$/],
  ['many lines', { status: 404, body: `a\n\n${'b'.repeat(200)}` }, /status 404: a b{117}…$/],
];

test('a failure quotes the response in one line, but never the address, which may be the credential', async (t) => {
  const { url, end } = await receiver(failures.map(([, reaction]) => reaction));
  t.after(end);
  const check =
    (said: RegExp, isFinal = false, retryAfterMs?: number) =>
    (error: unknown) => {
      assert.ok(error instanceof SendFailed);
      assert.match(error.message, said);
      assert.doesNotMatch(`${error.message} ${error.stack}`, /secret-path/);
      assert.deepEqual([error.isFinal, error.retryAfterMs], [isFinal, retryAfterMs]);
      return true;
    };
  const secrets = webhook.keys.WEBHOOK_URL?.secrets?.(url).map((part) => new Secret(part));
  const send = webhook.open({ WEBHOOK_URL: url });
  for (const [name, reaction, ...expected] of failures)
    await assert.rejects(
      send(fakeNotice('down'), fakeSending(reaction === 'silent' ? 50 : 5_000)),
      check(...expected),
      name,
    );
  const nobody = webhook.open({ WEBHOOK_URL: 'http://127.0.0.1:1/secret-path' });
  await assert.rejects(nobody(fakeNotice('down'), fakeSending()), check(/could not be reached/));
  assert.equal(secrets?.length, 1);
});

test('what is degraded is a warning under one name, from its first notice to its last', async (t) => {
  const cause = { kind: 'degraded', address: 'http://h.test/' } as const;
  const notices = (['down', 'up'] as const).map((kind) => fakeNotice(kind, { cause }));
  const paged = await arrived(t, pagerduty, { PAGERDUTY_ROUTING_KEY: 'k', PAGERDUTY_URL: '@' }, notices);
  assert.deepEqual(
    paged.map(({ json }) => [json.event_action, json.payload.severity]),
    [
      ['trigger', 'warning'],
      ['resolve', 'warning'],
    ],
  );
  const posted = await arrived(t, channelTypes.alertmanager, { ALERTMANAGER_URL: '@' }, notices);
  assert.deepEqual(
    posted.map(({ json: [{ labels }] }) => [labels.alertname, labels.severity]),
    Array(2).fill(['SextantDegraded', 'warning']),
  );
});

test('a test like an outage is marked as a test, has its evidence, and leaves nothing open', async (t) => {
  const { url, received, end } = await receiver();
  t.after(end);
  const settings = { PAGERDUTY_ROUTING_KEY: 'k', PAGERDUTY_URL: url };
  for (const send of [pagerduty.open(settings), webhook.open({ WEBHOOK_URL: url })])
    assert.equal(await sendTest(send, Date.now(), 'http://page.test/', 'down'), undefined);
  const [trigger, resolve, ...posted] = received.map(({ body }) => JSON.parse(body));
  assert.deepEqual([trigger.event_action, resolve.event_action], ['trigger', 'resolve']);
  assert.equal(trigger.dedup_key, resolve.dedup_key);
  assert.deepEqual(
    posted.map(({ kind }) => kind),
    ['down', 'up'],
  );
  for (const notice of posted) {
    assertFits('notice', notice);
    assert.match(notice.headline, /^TEST, no action needed: /);
  }
  assert.match(posted[0].scenarios[0].curl, /^curl /);
});
