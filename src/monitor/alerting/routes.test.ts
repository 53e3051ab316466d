import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Credential } from '../../call/index.ts';
import { Secret } from '../../redaction/index.ts';
import type { Certificate } from '../../run/index.ts';
import { assertFits } from '../../testing/document-schemas.ts';
import { fakeEnvironment } from '../../testing/monitor/fakes.ts';
import { temporaryHistory } from '../../testing/monitor/open-recorder.ts';
import { tellOutages } from '../../testing/monitor/tell-outages.ts';
import type { HistoryDatabase } from '../history/database.ts';
import { waitingNotices } from '../history/outbox.ts';
import { writeExpiryNotices } from './expiry-notices.ts';
import type { Notice } from './notice.ts';
import { noticeLines } from './notice-lines.ts';
import { assertTagsKnown, channelPatterns } from './routes.ts';

const checkedValue = <T>(checked: { value: T } | { problem: string }) =>
  'value' in checked ? checked.value : assert.fail(checked.problem);

test('each channel hears of its environments and tags', () => {
  const routes = checkedValue(channelPatterns('webhook=prod-*, slack=qa|@stories, email=@checkout'));
  const options = {
    channels: ['webhook', 'slack', 'pagerduty', 'email'],
    tagsOf: (title: string) => (title === 'love' ? ['@stories', '@read'] : ['@friends', '@read', '@checkout']),
    routes,
  };
  const story =
    'prod-1 at h; qa at i; block in friends; love in stories; prod-1/friends 5–50; qa/stories 5–50; all 0–60 played';
  const [ofProduction, ofQa] = ['prod-1', 'qa'].map((name) => [`5 down: ${name}`, `51 up: ${name}`]);
  assert.deepEqual(tellOutages(story, { options }).heard, {
    webhook: ofProduction,
    slack: ofQa,
    pagerduty: ['5 down: prod-1', '5 down: qa', '51 up: prod-1', '51 up: qa'],
    email: ofProduction,
  });
});

test('a tag that no scenario has', () => {
  assert.throws(
    () => assertTagsKnown(new Map([['slack', ['qa', '@freinds']]]), ['@friends', '@read']),
    /^ConfigurationError: CHANNELS {2}slack: no scenario has the tag @freinds \(did you mean @friends\?\); there are @friends, @read$/,
  );
});

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 10, 22, 12);
const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const until = (at: number): Credential => new Secret(`${part({ alg: 'none' })}.${part({ exp: at / 1000 })}.canary`);

const fake = fakeEnvironment('staging');
const having = (endsAt: number) => ({ ...fake, caller: { ...fake.caller, accessToken: until(endsAt) } });

const none = (): Certificate[] => [];
const options = {
  channels: ['slack', 'pagerduty'],
  routes: new Map(),
  pageUrl: 'http://page.test/',
  certificates: none,
};
const written = (db: HistoryDatabase) =>
  waitingNotices(db).map(({ channel, body }) => ({ channel, notice: JSON.parse(body) as Notice }));

test('a credential that nothing renews is told once for each expiry and channel, and shows nothing of itself', (t) => {
  const db = temporaryHistory(t);
  for (const now of [NOW, NOW + 1_000]) {
    writeExpiryNotices({ ...options, db, environments: [having(NOW + 4 * DAY)] }, now);
    assert.deepEqual(written(db), [], 'not within CREDENTIAL_WARNING yet');
  }
  for (const now of [NOW, NOW + 1_000]) writeExpiryNotices({ ...options, db, environments: [having(NOW + DAY)] }, now);
  const first = written(db);
  assert.equal(first.map(({ channel }) => channel).join(), 'slack,pagerduty');
  const [{ notice } = assert.fail()] = first;
  assert.deepEqual(noticeLines(notice), [
    'staging: ACCESS_TOKEN expires at 2026-11-23 12:00 UTC, and nothing renews it; set ACCESS_TOKEN_COMMAND or TOKEN_URL',
    '',
    'http://page.test/',
  ]);
  assert.equal(notice.kind, 'expiring');
  assert.doesNotMatch(JSON.stringify(first), /canary/);
  db.run('UPDATE notice SET sent = ?', NOW);
  writeExpiryNotices({ ...options, db, environments: [having(NOW + 2 * DAY)] }, NOW);
  assert.equal(written(db).length, 2, 'another one is another expiry');
});

test('a certificate of the service is told once for each expiry, CERTIFICATE_WARNING_DAYS before', (t) => {
  const db = temporaryHistory(t);
  const at = (days: number) => [{ address: 'https://h.test', validTo: NOW + days * DAY, daysLeft: 99 }];
  for (const days of [fake.certificateWarningDays, 4, 4])
    writeExpiryNotices({ ...options, db, environments: [fake], certificates: () => at(days) }, NOW);
  const [first, ...rest] = written(db);
  assert.deepEqual(
    rest.map(({ channel }) => channel),
    ['pagerduty'],
  );
  assert.equal(
    first?.notice.headline,
    'staging: the certificate of https://h.test expires in 4 days (2026-11-26); renew it',
  );
  assert.deepEqual([first?.notice.kind, first?.notice.cause.address], ['expiring', 'https://h.test']);
  assertFits('notice', first?.notice);
});

test('a channel for other environments, or for some scenarios alone, hears of no credential', (t) => {
  for (const [pattern, wanted] of [
    ['stag*', ['slack', 'pagerduty']],
    ['qa', ['pagerduty']],
    ['@friends', ['pagerduty']],
  ] as const) {
    const db = temporaryHistory(t);
    const routes = new Map([['slack', [pattern]]]);
    writeExpiryNotices({ ...options, db, routes, environments: [having(NOW + DAY)] }, NOW);
    const channels = written(db).map(({ channel }) => channel);
    assert.deepEqual(channels, wanted, pattern);
  }
});
