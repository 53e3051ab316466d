import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Credential, Secret } from '../../client/index.ts';
import { fakeEnvironment } from '../../testing/monitor/fakes.ts';
import { temporaryHistory } from '../../testing/monitor/open-recorder.ts';
import { MINUTE, PlayedOutages } from '../../testing/monitor/played-outages.ts';
import type { HistoryDatabase } from '../history/database.ts';
import { waitingNotices } from '../history/outbox.ts';
import { writeExpiryNotices } from './expiry-notices.ts';
import type { Notice } from './notice.ts';
import { noticeLines } from './notice-lines.ts';
import { assertTagsKnown, channelPatterns, escalations } from './routes.ts';

const checkedValue = <T>(checked: { value: T } | { problem: string }) =>
  'value' in checked ? checked.value : assert.fail(checked.problem);

test('each channel hears of its environments and tags, and one of what nobody has acknowledged', (t) => {
  const START = Date.parse('2026-11-20T10:00:00Z');
  const patterns = checkedValue(channelPatterns('webhook=prod-*, slack=qa|@stories, email=@checkout'));
  const played = new PlayedOutages(
    { 'prod-1': { host: 'h' }, qa: { host: 'i' } },
    {
      channels: ['webhook', 'slack', 'pagerduty', 'email'],
      tagsOf: (title) => (title === 'love' ? ['@stories', '@read'] : ['@friends', '@read', '@checkout']),
      routes: { patterns, afterMs: checkedValue(escalations('pagerduty=15m')) },
    },
  );
  t.after(() => played.end());
  const both = ['prod-1', 'qa'].flatMap((environment) => [
    { environment, area: 'friends' as const, title: 'block' },
    { environment, area: 'stories' as const, title: 'love' },
  ]);
  played.start(both, START);
  const told: string[] = [];
  for (let minute = 0; minute < 60; minute++) {
    played.minute(START + minute * MINUTE, () => (minute >= 5 && minute < 50 ? 'broken' : undefined));
    const [of] = played.recorder.incidents.open.filter(
      ({ environment, cause }) => environment === 'qa' && cause.address.includes('friends'),
    );
    if (minute === 10 && of)
      played.recorder.handle(of.id, { at: START + minute * MINUTE, kind: 'acknowledged', person: 'Ada', text: '' });
    for (const { channel, notice } of played.notices())
      if (notice.kind === 'down' || notice.kind === 'up')
        told.push(
          `${minute} ${channel} ${notice.kind} ${notice.environment} ${notice.scenarios.map(({ title }) => title)}`,
        );
  }
  assert.deepEqual(told.sort(), [
    '20 pagerduty down prod-1 block',
    '20 pagerduty down prod-1 love',
    '20 pagerduty down qa love',
    '5 email down prod-1 block',
    '5 email down qa block',
    '5 slack down prod-1 love',
    '5 slack down qa block',
    '5 slack down qa love',
    '5 webhook down prod-1 block',
    '5 webhook down prod-1 love',
    '51 email up prod-1 block',
    '51 email up qa block',
    '51 pagerduty up prod-1 block',
    '51 pagerduty up prod-1 love',
    '51 pagerduty up qa love',
    '51 slack up prod-1 love',
    '51 slack up qa block',
    '51 slack up qa love',
    '51 webhook up prod-1 block',
    '51 webhook up prod-1 love',
  ]);
});

test('routes that make no sense', () => {
  for (const [text, problem] of [
    ['slack', '"slack" is not a channel with environments or tags; expected e.g. pagerduty=prod-*|@friends, slack=qa'],
    ['slack=qa|', 'slack: is empty'],
  ] as const)
    assert.deepEqual(channelPatterns(text), { problem });
  assert.throws(
    () => assertTagsKnown({ patterns: new Map([['slack', ['qa', '@freinds']]]) }, ['@friends', '@read']),
    /^ConfigurationError: CHANNELS {2}slack: no scenario has the tag @freinds \(did you mean @friends\?\); there are @friends, @read$/,
  );
});

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
