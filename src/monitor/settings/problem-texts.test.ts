import assert from 'node:assert/strict';
import { test } from 'node:test';
import { channelTypes } from '../alerting/registry.ts';
import { openChannels } from './channels.ts';
import { type SettingName, settingKeys } from './keys.ts';

/** A wrong value, and the sentence that a user reads after the key. */
const rows: readonly [key: SettingName, value: string, problem: string][] = [
  ['EVERY', '1s', '"1s" is not a duration from 5s to 1h; expected e.g. 60s, 5m or 1h'],
  ['DATA', 'a\u0000', 'contains a control character'],
  ['PORT', '70000', '"70000" is not a whole number from 0 to 65535'],
  ['PAGE_URL', 'status', '"status" is not an http:// or https:// URL'],
  ['PUBLIC', 'maybe', '"maybe" is neither yes nor no'],
  ['TOKEN', 'short', 'is shorter than 16 characters and could be guessed'],
  ['SLO', '100', '"100" is not a percentage from 50 to below 100; expected e.g. 99.9'],
  ['CONNECTIVITY_PROBE', 'nowhere', '"nowhere" is not host:port; expected e.g. 1.1.1.1:443'],
  ['HEARTBEAT_URL', 'ping', 'is not an http:// or https:// URL'],
];

for (const [key, value, problem] of rows)
  test(`${key}=${value}`, () => assert.deepEqual(settingKeys[key].check(value), { problem }));

test('a channel that is configured in part, or wrongly', () => {
  const { problems } = openChannels({
    SMTP_URL: 'mail.your.org',
    EMAIL_TO: 'oncall@your.org',
    WEBHOOK_SECRET: 'short',
  });
  const lines = problems.map(({ key, text }) => `${key}  ${text}`);
  assert.deepEqual(lines, [
    'WEBHOOK_URL  is missing for channel webhook; expected: address that receives each notice as a JSON POST',
    'WEBHOOK_SECRET  is shorter than 16 characters and could be guessed; expected: key that signs the notices (Standard Webhooks), at least 16 characters',
    'SMTP_URL  is not an smtp:// or smtps:// URL; expected: mail server, e.g. smtps://user:password@mail.your.org',
    'EMAIL_FROM  is missing for channel email; expected: sender address',
  ]);
});

test('every setting and channel key has a meaning without a full stop, for tables and messages', () => {
  const channelKeys = Object.values(channelTypes).flatMap(({ keys }) => Object.values<{ meaning: string }>(keys));
  for (const { meaning } of [...Object.values(settingKeys), ...channelKeys]) assert.match(meaning, /^\S.*[^.\s]$/);
});
