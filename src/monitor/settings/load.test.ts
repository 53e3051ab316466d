import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ownFolder } from '../../testing/own-folder.ts';
import { channelTypes } from '../alerting/channels/registry.ts';
import { settingKeys } from './keys.ts';
import { allKeys, loadSettings } from './load.ts';

function load(text: string, flags = {}, process: Record<string, string> = {}) {
  const file = join(ownFolder(), 'monitor.env');
  writeFileSync(file, text);
  return loadSettings({ file, isNamed: false, flags, process });
}

test('every setting has a default', () => {
  const { everyMs, port, listen, rule, channels, keepRunsMs } = load('');
  assert.deepEqual([everyMs, port, listen, rule.downAfter], [60_000, 9464, '127.0.0.1', 1]);
  assert.deepEqual([channels.size, keepRunsMs], [0, 30 * 86_400_000]);
});

test('the command line outranks the process environment, which outranks the file', () => {
  const text = 'EVERY=30s\nPORT=1\nUP_AFTER=3\nKEEP_RUNS=400d';
  const { everyMs, port, rule, keepRunsMs } = load(text, { PORT: '3' }, { MONITOR_PORT: '2', MONITOR_EVERY: '20s' });
  assert.deepEqual([everyMs, port, rule.upAfter, keepRunsMs], [20_000, 3, 3, 400 * 86_400_000]);
});

/** Each row: a wrong line of a settings file, and its error message without the file's name. */
const wrong = `
EVERY=1s → EVERY  "1s" is not a duration from 5s to 1h; expected e.g. 60s, 5m or 1h
DATA=a\u0001 → DATA  contains a control character
PORT=70000 → PORT  "70000" is not a whole number from 0 to 65535
PAGE_URL=status → PAGE_URL  "status" is not an http:// or https:// URL
PUBLIC=maybe → PUBLIC  "maybe" is neither yes nor no
TOKEN=short → TOKEN  is shorter than 16 characters and could be guessed
CONFIRM_AFTER=1h → CONFIRM_AFTER  "1h" is not a duration from 0s to 5m; expected e.g. 60s or 5m
CHANNELS=slack=qa| → CHANNELS  slack: is empty
SLO=100 → SLO  "100" is not a percentage from 50 to below 100; expected e.g. 99.9
KEEP_RUNS=1h → KEEP_RUNS  "1h" is not a duration from 4d to 400d; expected e.g. 7d or 30d
CONNECTIVITY_PROBE=nowhere → CONNECTIVITY_PROBE  "nowhere" is not host:port; expected e.g. 1.1.1.1:443
HEARTBEAT_URL=ping → HEARTBEAT_URL  is not an http:// or https:// URL
WEBHOOK_URL=hooks.your.org/secret-path → WEBHOOK_URL  is not an http:// or https:// URL; expected: address that receives each notice as a JSON POST
WEBHOOK_SECRET=short → WEBHOOK_SECRET  is shorter than 16 characters and could be guessed; expected: key that signs the notices (Standard Webhooks), at least 16 characters
SLACK_WEBHOOK_URL=http://127.0.0.1:0/ → SLACK_WEBHOOK_URL  has port 0, where nothing can listen; expected: incoming webhook of Slack or a compatible service
TEAMS_WEBHOOK_URL=https://me:canary@hooks.your.org/ → TEAMS_WEBHOOK_URL  contains a user or a password, which can't be sent; expected: webhook of a Teams workflow that posts Adaptive Cards
SMTP_URL=mail.your.org → SMTP_URL  is not an smtp:// or smtps:// URL; expected: mail server, e.g. smtps://user:password@mail.your.org
EMAIL_TO=oncall@your.org → EMAIL_FROM  is missing for channel email; expected: sender address
PAGERDUTY_ROUTING_KEY=r → PAGERDUTY_ROUTING_KEY  has fewer than 8 characters and can't be masked safely in reports; expected: integration key of the PagerDuty service (Events API v2)
HEAP=160 → HEAP  was removed; NODE_OPTIONS=--max-old-space-size=160 limits the memory, in MB
constructor=x → constructor  is not a recognised key
CONFRIM_AFTER=10s → CONFRIM_AFTER  is not a recognised key (did you mean CONFIRM_AFTER?)
__proto__=x → __proto__  is not a recognised key
LISTEN=0.0.0.0 → TOKEN  is missing: the page listens on 0.0.0.0, which other machines can reach; set TOKEN, or PUBLIC=yes to show only states and uptime
`
  .trim()
  .split('\n')
  .map((row) => row.split(' → '));

test('one error lists all problems, with suggestions and without the value of a secret', () => {
  const isSaid = ({ name, message }: Error) => {
    const [headline, ...lines] = message.split('\n');
    assert.deepEqual([name, headline], ['ConfigurationError', `The monitor's settings have ${wrong.length} problems:`]);
    const problems = lines.map((line) => line.replace(/^ {2}\S+monitor\.env {2}/, ''));
    const expected = wrong.map(([, problem]) => problem);
    assert.deepEqual(problems, expected);
    return true;
  };
  assert.throws(() => load(wrong.map(([line]) => line).join('\n')), isSaid);
});

for (const listen of ['0', '127.0.0.1:9464', 'http://127.0.0.1'])
  test(`--listen ${listen} is no address, and the port has its own option`, () =>
    assert.throws(() => load('', { LISTEN: listen }), /is not an address to listen on; .*the port is PORT \(--port\)/));

test('a setting can be in a file: named in the settings, or in the process environment', () => {
  const folder = ownFolder();
  const token = join(folder, 'token');
  const hook = join(folder, 'hook');
  writeFileSync(token, 'a-token-of-the-page-0123456789\n');
  writeFileSync(hook, 'http://hooks.test/secret-path');
  const settings = load(`TOKEN_FILE=${token}`, {}, { MONITOR_WEBHOOK_URL_FILE: hook });
  assert.equal(settings.token, 'a-token-of-the-page-0123456789');
  assert.deepEqual([...settings.channels.keys()], ['webhook']);
  assert.throws(
    () => load(`TOKEN_FILE=${join(folder, 'none')}`, {}, { MONITOR_SMTP_URL_FILE: join(folder, 'none') }),
    ({ message }: Error) =>
      /monitor\.env {2}TOKEN_FILE {2}names a file that can't be read/.test(message) &&
      /process environment {2}MONITOR_SMTP_URL_FILE {2}names a file/.test(message),
  );
});

test('every setting and channel key has a meaning without a full stop, for tables and messages', () => {
  const channelKeys = Object.values(channelTypes).flatMap(({ keys }) => Object.values<{ meaning: string }>(keys));
  for (const { meaning } of [...Object.values(settingKeys), ...channelKeys]) assert.match(meaning, /^\S.*[^.\s]$/);
});

test('whatever is a credential, by the name of its key, is masked in all outputs', () => {
  for (const [key, { secrets }] of Object.entries(allKeys))
    assert.equal(secrets !== undefined, /(TOKEN|SECRET|PASSWORD|_KEY|(?<!PAGE|RUNBOOK)_URL)$/.test(key), key);
});
