import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Credential, Secret } from '../../client/index.ts';
import { fakeEnvironment } from '../../testing/monitor/fakes.ts';
import { temporaryHistory } from '../../testing/monitor/open-recorder.ts';
import type { HistoryDatabase } from '../history/database.ts';
import { waitingNotices } from '../history/outbox.ts';
import { writeExpiryNotices } from './expiry-notices.ts';
import type { Notice } from './notice.ts';
import { noticeLines } from './notice-lines.ts';

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 10, 22, 12);
const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const until = (at: number): Credential => new Secret(`${part({ alg: 'none' })}.${part({ exp: at / 1000 })}.canary`);

const fake = fakeEnvironment('staging');
const having = (endsAt: number) => ({ ...fake, caller: { ...fake.caller, accessToken: until(endsAt) } });

const options = { channels: ['slack', 'pagerduty'], routes: {}, pageUrl: 'http://page.test/' };
const written = (db: HistoryDatabase) =>
  waitingNotices(db, NOW, DAY).map(({ channel, body }) => ({ channel, notice: JSON.parse(body) as Notice }));

test('a credential that nothing renews is told once for each expiry and channel, and shows nothing of itself', (t) => {
  const db = temporaryHistory(t);
  for (const now of [NOW, NOW + 1_000]) {
    writeExpiryNotices({ ...options, db, environments: [having(NOW + 4 * DAY)] }, now);
    assert.deepEqual(written(db), [], 'not within CREDENTIAL_WARNING yet');
  }
  for (const now of [NOW, NOW + 1_000]) writeExpiryNotices({ ...options, db, environments: [having(NOW + DAY)] }, now);
  const first = written(db);
  assert.deepEqual(
    first.map(({ channel }) => channel),
    ['slack', 'pagerduty'],
  );
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

const rows: [channels: string, escalate: string | undefined, told: string[]][] = [
  ['slack=stag*', undefined, ['slack', 'pagerduty']],
  ['slack=qa', undefined, ['pagerduty']],
  ['slack=@friends', undefined, ['pagerduty']],
  ['slack=staging', 'pagerduty', ['slack']],
];
for (const [patterns, escalated, told] of rows)
  test(`with ${patterns}${escalated ? `, ${escalated} escalated` : ''}: ${told.join(', ')}`, (t) => {
    const db = temporaryHistory(t);
    const [name = '', pattern = ''] = patterns.split('=');
    const afterMs = new Map(escalated ? [[escalated, 60_000]] : []);
    const routes = { patterns: new Map([[name, [pattern]]]), afterMs };
    writeExpiryNotices({ ...options, db, routes, environments: [having(NOW + DAY)] }, NOW);
    assert.deepEqual(
      written(db).map(({ channel }) => channel),
      told,
    );
  });
