import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MINUTE, PlayedOutages } from '../../testing/monitor/played-outages.ts';
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
