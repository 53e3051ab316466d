import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { fakeNotice, fakeSending } from '../../../testing/monitor/fakes.ts';
import { type ReceiverResponse, receiver } from '../../../testing/monitor/receiver.ts';
import { type ChannelType, type Send, SendFailed } from '../channel.ts';
import { channelTypes } from './registry.ts';

const { discord, ntfy, pagerduty, slack, teams, telegram, webhook } = channelTypes;

/** What arrives where a channel sends these notices; `@` in its settings is the address of the receiver. */
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

test('discord: an embed within its limits; nobody is mentioned, and nothing is markup', async (t) => {
  const notices = [fakeNotice('down'), long(300)];
  const [{ json }, last] = await arrived(t, discord, { DISCORD_WEBHOOK_URL: '@' }, notices);
  const [embed] = json.embeds;
  assert.deepEqual(json.allowed_mentions, { parse: [] });
  assert.match(embed.title, /^🔴 staging: .*down$/);
  assert.match(embed.description, /^```\nDown since .*curl -sS .*bearer \*\*\*.*incident-1\n```$/s);
  assert.equal(embed.url, 'http://page.test/incidents#incident-1');
  const [largest] = last?.json.embeds ?? [];
  assert.equal(largest.title.length, 250);
  assert.ok(largest.description.length <= 4_096 && largest.description.length > 2_000);
  assert.equal(largest.description.split('```').length, 3);
  assert.match(largest.description, /…\nhttp:\/\/page\.test\/incidents#incident-1\n```$/);
});

test('telegram: one plain message to the chat', async (t) => {
  const settings = { TELEGRAM_BOT_TOKEN: '123:abc', TELEGRAM_CHAT_ID: '-100', TELEGRAM_URL: '@' };
  const [{ json, path }, last] = await arrived(t, telegram, settings, [fakeNotice('down'), long(900)]);
  assert.equal(path, '/secret-path/bot123:abc/sendMessage');
  const { chat_id: chat, parse_mode: mode, link_preview_options: preview } = json;
  assert.deepEqual([chat, mode, preview], ['-100', undefined, { is_disabled: true }]);
  assert.match(json.text, /^🔴 staging: .*down\nDown since /);
  const { length } = last?.json.text ?? '';
  assert.ok(length <= 4_096 && length > 2_000, `${length}`);
});

test('ntfy: published as JSON to the server of the topic', async (t) => {
  const settings = { NTFY_URL: '@/your-topic', NTFY_TOKEN: 'tk_1' };
  const [{ json, path, headers }, last] = await arrived(t, ntfy, settings, [fakeNotice('down'), long(900)]);
  assert.deepEqual([path, headers.authorization], ['/secret-path/', 'Bearer tk_1']);
  assert.deepEqual([json.topic, json.priority], ['your-topic', 5]);
  assert.equal(json.click, 'http://page.test/incidents#incident-1');
  assert.match(json.title, /^🔴 staging: /);
  const bytes = Buffer.byteLength(last?.json.message ?? '');
  assert.ok(bytes <= 4_096 && bytes > 2_000, `${bytes}`);
  assert.deepEqual(ntfy.keys.NTFY_URL?.check('https://ntfy.sh/'), { problem: 'has no topic in its path' });
});

test('teams: an Adaptive Card of a workflow', async (t) => {
  const [{ json }, last] = await arrived(t, teams, { TEAMS_WEBHOOK_URL: '@' }, [fakeNotice('down'), long(900)]);
  const [{ contentType, content }] = json.attachments;
  const types = `${json.type} ${contentType} ${content.type} ${content.version}`;
  assert.equal(types, 'message application/vnd.microsoft.card.adaptive AdaptiveCard 1.4');
  const [headline, ...lines] = content.body;
  assert.deepEqual([headline.type, headline.weight], ['TextBlock', 'Bolder']);
  const texts = lines.map(({ text }: { text: string }) => text);
  assert.match(texts.join('\n'), /bearer \\\*\\\*\\\*/, 'stars are no markup');
  assert.deepEqual(content.actions, [
    { type: 'Action.OpenUrl', title: 'Open incident', url: 'http://page.test/incidents#incident-1' },
  ]);
  assert.ok(last && last.body.length < 28_000);
});

test('slack: the whole notice as one text, with markup characters escaped', async (t) => {
  const [{ json }] = await arrived(t, slack, { SLACK_WEBHOOK_URL: '@' });
  const { text } = json;
  assert.match(text, /^\*🔴 staging: .*down\*/);
  assert.match(text, /block \(Friends\): failed\n {2}documented: the list/);
  assert.match(text, /mentions &lt;b&gt; &amp; more/);
  assert.match(text, /curl -sS .*bearer \*\*\*/);
  assert.match(text, /http:\/\/page\.test\/incidents#incident-1/);
});

test('pagerduty: triggered and resolved under one key', async (t) => {
  const settings = { PAGERDUTY_ROUTING_KEY: 'r', PAGERDUTY_URL: '@' };
  const events = await arrived(t, pagerduty, settings, [fakeNotice('down'), fakeNotice('up')]);
  const texts = events.map(({ json }) => [json.event_action, json.dedup_key, json.routing_key, json.payload.severity]);
  assert.deepEqual(texts.map(String), ['trigger,i-1,r,critical', 'resolve,i-1,r,critical']);
});

test('a failure shows the response but never the address, which may be the credential', async (t) => {
  type Row = [ReceiverResponse, RegExp, boolean, number | undefined];
  const rows: Row[] = [
    [500, /returned status 500/, false, undefined],
    [404, /returned status 404/, false, undefined],
    ...[400, 413, 414, 422].map((status): Row => [status, new RegExp(`returned status ${status}`), true, undefined]),
    [307, /returned status 307/, false, undefined],
    [{ status: 429, retryAfter: '7' }, /returned status 429/, false, 7_000],
    ['silent', /did not respond in time/, false, undefined],
  ];
  const { url, end } = await receiver(rows.map(([reaction]) => reaction));
  t.after(end);
  const send = webhook.open({ WEBHOOK_URL: url });
  const fails = (pattern: RegExp, isFinal: boolean, retryAfterMs?: number) => (error: unknown) => {
    assert.ok(error instanceof SendFailed);
    assert.match(error.message, pattern);
    assert.doesNotMatch(`${error.message} ${error.stack}`, /secret-path/);
    assert.deepEqual([error.isFinal, error.retryAfterMs], [isFinal, retryAfterMs]);
    return true;
  };
  for (const [reaction, pattern, isFinal, retryAfterMs] of rows) {
    const sent = send(fakeNotice('down'), fakeSending(reaction === 'silent' ? 50 : 5_000));
    await assert.rejects(sent, fails(pattern, isFinal, retryAfterMs));
  }
  const nobody = webhook.open({ WEBHOOK_URL: 'http://127.0.0.1:1/secret-path' });
  await assert.rejects(nobody(fakeNotice('down'), fakeSending()), fails(/could not be reached/, false));
});

const refusals: [name: string, body: string, said: RegExp][] = [
  ['a word', 'no_service', /^the receiver returned status 404: no_service$/],
  ['JSON', '{"message":"Unknown Webhook"}', /status 404: \{"message":"Unknown Webhook"\}$/],
  ['its own address', 'no hook /services/T0000SECRET', /status 404: no hook \/\*\*\*\/\*\*\*$/],
  ['a page', '<html><body>Not found</body></html>', /status 404$/],
  ['many lines', `a\n\n${'b'.repeat(200)}`, /status 404: a b{117}…$/],
  ['nothing', '', /status 404$/],
];

for (const [name, body, said] of refusals)
  test(`a receiver that refuses with ${name} is quoted in one line`, async (t) => {
    const { url, end } = await receiver([{ status: 404, body }]);
    t.after(end);
    const send = webhook.open({ WEBHOOK_URL: `${url}/services/T0000SECRET` });
    await assert.rejects(send(fakeNotice('down'), fakeSending()), { message: said });
  });
