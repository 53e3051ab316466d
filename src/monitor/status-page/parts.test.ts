import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bookOf, fakeFlip } from '../../testing/monitor/flips.ts';
import type { Monitor } from '../monitor.ts';
import { badgeSvg } from './badge.ts';
import { addressOf, type Filter, filterOf, isFiltering, matches } from './filter.ts';
import { count, percent, share, uptimeText } from './format.ts';
import { escapeText, html } from './html.ts';
import { overallText } from './overview.ts';
import { statusJson } from './server/status-json.ts';
import { type EnvironmentView, type ScenarioView, type Shown, slug, tallyOf, worstOf } from './view.ts';

test('text of a service stays text on the page', () => {
  const evil = '<script>alert("1")</script>\u0000\u001b[31m&\'';
  assert.equal(
    html`<p title="${evil}">${[html`<b>${evil}</b>`]}${false}${undefined}</p>`.text.includes('<script>'),
    false,
  );
  assert.equal(escapeText('\u0000a\tb'), '\ufffda\tb');
  assert.equal(badgeSvg({ label: evil, shown: 'up', ratio: 1 }).includes('<script>'), false);
});

test('a percentage is never rounded up to 100, a share never down to 0', () => {
  const rows: [number | undefined, string][] = [
    [undefined, '—'],
    [1, '100 %'],
    [0.9999999, '99.999 %'],
    [0.9995, '99.95 %'],
    [0.98765, '98.76 %'],
    [0, '0.00 %'],
  ];
  for (const [ratio, expected] of rows) assert.equal(percent(ratio).replace('\u00a0', ' '), expected);
  const hours = (observed: number, withoutData: number) => ({
    ratio: 1,
    downMs: 0,
    observedMs: observed * 3_600_000,
    withoutData,
  });
  assert.equal(uptimeText(hours(12, 0.5)), '100\u00a0%');
  assert.equal(uptimeText(hours(2, 0.9)), '100\u00a0% of 2 h', 'not 100 % of a window that has hardly any data');
  assert.equal(uptimeText({ downMs: 0, observedMs: 0, withoutData: 1 }), '—');
  for (const [ratio, expected] of [
    [0, '0 %'],
    [0.0001, '< 1 %'],
    [0.5, '50 %'],
    [0.9999, '> 99 %'],
    [1, '100 %'],
  ] as const)
    assert.equal(share(ratio), expected);
});

test('whole numbers have commas as in English', () => {
  for (const number of [0, 7, 999, 1_000, 12_345, 999_999, 1_000_000, 18_921_600])
    assert.equal(count(number), number.toLocaleString('en-GB'));
});

test('the state of many is the worst of them, with its count', () => {
  const rows: [Shown[], Shown, string][] = [
    [[], 'pending', 'No scenarios are monitored'],
    [['up', 'up'], 'up', 'All 2 scenarios up'],
    [['up', 'skipped'], 'up', '1 of 2 scenarios up, 1 can no longer run'],
    [['down', 'skipped'], 'down', '1 of 2 scenarios down'],
    [['up', 'pending'], 'pending', '1 of 2 scenarios up, the others have not run yet'],
    [['up', 'unknown', 'pending'], 'unknown', '1 of 3 scenarios unknown'],
    [['up', 'degraded', 'unknown'], 'degraded', '1 of 3 scenarios degraded'],
    [['down', 'down', 'degraded'], 'down', '2 of 3 scenarios down'],
  ];
  for (const [all, shown, text] of rows) {
    const tally = tallyOf(all.map((one) => ({ shown: one })));
    assert.deepEqual([worstOf(tally), overallText(tally)], [shown, text]);
  }
  const never = { shown: 'skipped', neverRan: true } as const;
  assert.equal(overallText(tallyOf([{ shown: 'up' }, never])), '1 scenario up, 1 skipped');
  assert.equal(overallText(tallyOf([{ shown: 'down' }, never])), '1 of 1 scenarios down');
});

test('names in paths and badges', () => {
  assert.equal(slug('block, then list (twice) & unblock'), 'block-then-list-twice-unblock');
  assert.match(
    badgeSvg({ label: 'staging', shown: 'down', ratio: 0.5 }),
    /<title>staging: down, 50\.00\u00a0% in 30 d</,
  );
});

const rows: [query: string, filter: Filter, address: string][] = [
  ['', { page: 1 }, '/'],
  ['page=3', { page: 3 }, '/?page=3'],
  ['page=-1', { page: 1 }, '/'],
  ['page=x', { page: 1 }, '/'],
  ['area=friends&state=bad', { area: 'friends', state: 'bad', page: 1 }, '/?area=friends&state=bad'],
  ['area=nowhere&state=well&text=', { page: 1 }, '/'],
  [
    'environment=a+b%26c&text=+Block+',
    { environment: 'a b&c', text: 'block', page: 1 },
    '/?environment=a+b%26c&text=block',
  ],
];

test('the address says what is shown, and what it does not know is left out', () => {
  for (const [query, filter, address] of rows) {
    assert.deepEqual(filterOf(new URLSearchParams(query)), filter, query);
    assert.equal(addressOf(filter), address);
    assert.equal(isFiltering(filter), Object.keys(filter).length > 1, query);
  }
});

const view = {
  known: { environment: 'staging', area: 'friends', title: 'Block, then list' },
  shown: 'degraded',
} as unknown as ScenarioView;

test('a scenario is shown where everything that is asked for fits', () => {
  const found: [Partial<Filter>, boolean][] = [
    [{}, true],
    [{ environment: 'staging', area: 'friends', state: 'bad', text: 'then' }, true],
    [{ environment: 'production' }, false],
    [{ area: 'stories' }, false],
    [{ state: 'down' }, false],
    [{ state: 'degraded' }, true],
    [{ text: 'unblock' }, false],
  ];
  for (const [filter, expected] of found)
    assert.equal(matches(view, { page: 1, ...filter }), expected, JSON.stringify(filter));
});

function environment(index: number, shown: Shown): EnvironmentView {
  const scenarios = [{ shown }, { shown: 'up' }] as ScenarioView[];
  const tally = tallyOf(scenarios);
  return { name: `e${index}`, areas: [{ id: 'friends', title: 'Friends', scenarios, tally }], tally };
}

test('environments are groups of areas; of a large incident, the latest updates are listed', () => {
  const hits = Array.from({ length: 4_400 }, (_, index) =>
    fakeFlip({ id: index + 1, scenario: { environment: 'e1', title: `scenario ${index}` }, since: index }),
  );
  const environments = [environment(0, 'up'), environment(1, 'down')];
  const recorder = { incidents: { all: bookOf(hits) }, calendar: { planned: () => [] } };
  const monitor = { recorder, pageUrl: 'http://page.test/' } as unknown as Monitor;
  const { components, status, incidents } = JSON.parse(statusJson(environments, monitor, 0));
  assert.deepEqual(
    components.map((one: { id: string; status: string }) => `${one.id} ${one.status}`),
    ['e0 operational', 'e0-friends operational', 'e1 major_outage', 'e1-friends partial_outage'],
  );
  assert.equal(status.indicator, 'major');
  const [found] = incidents;
  assert.match(found.name, /4400 scenarios down/);
  assert.deepEqual([found.incident_updates.length, found.incident_updates.at(-1).id], [50, '4400']);
});
