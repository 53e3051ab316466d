import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fakeFlip } from '../../testing/monitor/flips.ts';
import { temporaryHistory } from '../../testing/monitor/open-recorder.ts';
import { addToRollups, DAY, HOUR } from '../history/rollups.ts';
import { enterScenario } from '../history/scenarios.ts';
import type { Monitor } from '../monitor.ts';
import { IncidentBook } from '../status/incident.ts';
import { count, dayBar, latencyChart, percent, roundAbove, share, uptimeText } from './components.ts';
import { dayCode, latencySeries, ranges } from './figures.ts';
import { escapeText, html } from './html.ts';
import { badge, statusJson } from './status-json.ts';
import { type EnvironmentView, overallText, type ScenarioView, type Shown, worstOf } from './view.ts';

test('text of a service stays text on the page', () => {
  const evil = '<script>alert("1")</script>\u0000\u001b[31m&\'';
  const { text } = html`<p title="${evil}">${[html`<b>${evil}</b>`]}${false}${undefined}</p>`;
  assert.equal(text.includes('<script>'), false);
  assert.equal(escapeText('\u0000a\tb'), '\ufffda\tb');
  const month = { downMs: 0, observedMs: 0, withoutData: 1 };
  assert.equal(badge(evil, [{ shown: 'up' }], month).includes('<script>'), false);
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
  const hours = (observed: number, withoutData: number) => {
    return { ratio: 1, downMs: 0, observedMs: observed * HOUR, withoutData };
  };
  assert.equal(uptimeText(hours(12, 0.5)), '100\u00a0%');
  assert.equal(uptimeText(hours(2, 0.9)), '100\u00a0% of 2 h', 'not 100 % of a window that has hardly any data');
  assert.equal(uptimeText({ downMs: 0, observedMs: 0, withoutData: 1 }), '—');
  assert.deepEqual([0, 0.0001, 0.5, 0.9999, 1].map(share), ['0 %', '< 1 %', '50 %', '> 99 %', '100 %']);
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
    const found = all.map((one) => ({ shown: one }));
    assert.deepEqual([worstOf(found), overallText(found)], [shown, text]);
  }
  const never = { shown: 'skipped', neverRan: true } as const;
  assert.equal(overallText([{ shown: 'up' }, never]), '1 scenario up, 1 skipped');
  assert.equal(overallText([{ shown: 'down' }, never]), '1 of 1 scenarios down');
});

function environment(index: number, shown: Shown): EnvironmentView {
  const known = { area: 'friends' } as ScenarioView['known'];
  return {
    name: `e${index}`,
    scenarios: [
      { shown, known },
      { shown: 'up', known },
    ],
  };
}

test('environments are groups of areas; of a large incident, the latest updates are listed', () => {
  const hits = Array.from({ length: 4_400 }, (_, index) =>
    fakeFlip({ id: index + 1, scenario: { environment: 'e1', title: `scenario ${index}` }, since: index, incident: 1 }),
  );
  const environments = [environment(0, 'up'), environment(1, 'down')];
  const book = new IncidentBook();
  for (const hit of hits) book.add(hit);
  const recorder = { incidents: book, calendar: { planned: () => [] } };
  const monitor = { recorder, pageUrl: 'http://page.test/' } as unknown as Monitor;
  const { components, incidents } = JSON.parse(statusJson(environments, monitor, 0));
  assert.deepEqual(
    components.map((one: { id: string; status: string }) => `${one.id} ${one.status}`),
    ['e0 operational', 'e0-friends operational', 'e1 partial_outage', 'e1-friends partial_outage'],
  );
  const [found] = incidents;
  assert.match(found.name, /4400 scenarios down/);
  assert.deepEqual([found.incident_updates.length, found.incident_updates.at(-1).id], [50, '4400']);
});

test('the indicator is as grave as the gravest component', () => {
  const recorder = { incidents: new IncidentBook(), calendar: { planned: () => [] } };
  const monitor = { recorder, pageUrl: 'http://page.test/' } as unknown as Monitor;
  const rows = [
    ['', 'none'],
    ['up', 'none'],
    ['unknown up', 'none'],
    ['degraded up', 'minor'],
    ['unjudged up', 'minor'],
    ['down up', 'major'],
    ['down down', 'critical'],
  ] as const;
  for (const [all, indicator] of rows) {
    const scenarios = all
      .split(' ')
      .flatMap((shown) => (shown ? { shown, known: { area: 'friends' } } : [])) as ScenarioView[];
    const { status } = JSON.parse(statusJson([{ name: 'e', scenarios }], monitor, 0));
    assert.equal(status.indicator, indicator, all);
  }
});

test('the axis ends at a round value above everything', () => {
  assert.deepEqual([100, 101, 7, 5.5, 0.4, 9_001].map(roundAbove), [100, 200, 8, 6, 0.4, 10_000]);
});

test('a series has each hour of a day in which there were runs, with percentiles', (t) => {
  const db = temporaryHistory(t);
  const { id } = enterScenario(db, { environment: 'e', title: 'block', area: 'friends', effect: 'read' }, 0);
  const now = 10 * DAY + 5.5 * HOUR;
  for (const ms of [10, 20, 30]) addToRollups(db, id, now, { runs: 1, judged: 1, good: 1 }, ms);
  addToRollups(db, id, now - 24 * HOUR, { runs: 1, judged: 1, good: 1 }, 99);
  addToRollups(db, id, now - 23 * HOUR, { runs: 2, judged: 1, good: 1 }, 50);
  const series = latencySeries(db, id, ranges[0], now);
  assert.equal(series.points.length, 2);
  assert.deepEqual([series.from, series.to], [9 * DAY + 6 * HOUR, 10 * DAY + 6 * HOUR]);
  const [first, last] = [series.points[0], series.points.at(-1)];
  assert.deepEqual([first?.runs, Math.round(first?.p50 ?? 0)], [2, 50]);
  assert.deepEqual([last?.runs, Math.round(last?.p50 ?? 0)], [3, 20]);
  assert.equal(Math.round(series.whole.p99 ?? 0), 50);

  const span = { from: now - 2 * HOUR, to: now - HOUR };
  const marks = { down: [span], maintenance: [], announced: [{ at: span.from, text: 'release 41' }] };
  const chart = latencyChart(series, marks).text;
  assert.match(
    chart,
    /<title>1970-01-11 05:00 UTC: p50 \d\d\.\d ms, p95 \d\d\.\d ms, p99 \d\d\.\d ms; 3 runs<\/title>/,
  );
  assert.match(chart, /class="was-down" x="895\.8" width="41\.7"/);
  assert.match(chart, /class="announced" d="M895\.8 0V200"><title>release 41</);
  // A stroke for each hour with runs, at its height below 60 ms, and none where there were no runs.
  assert.match(chart, /<path class="p50" d="M0 [\d.]+h41\.7M958\.3 [\d.]+h41\.7"\/>/);
  assert.match(chart, />60\.0 ms<.*>30\.0 ms</);
  const year = latencySeries(db, id, ranges[3], now);
  assert.deepEqual(
    year.points.map(({ runs }) => runs),
    [3, 3],
  );
});

test('a day without runs is neither up nor down', () => {
  assert.equal(dayCode(1, 0), '-');
  assert.equal([undefined, 1, 0.9999, 0.99, 0.98].map((ratio) => dayCode(ratio, 5)).join(''), '-uppd');
});

test('equal days in a row are one stroke', () => {
  const { text } = dayBar('uuduu-');
  assert.match(text, /<path class="up" d="M0 5h2M3 5h2"\/><path class="down" d="M2 5h1"\/>/);
  assert.match(text, /aria-label="6 days: 4 up, 1 down, 1 without data"/);
  assert.ok(dayBar('u'.repeat(90)).text.length < 250);
});
