import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Cause, escapeText, html } from '../../run/index.ts';
import { assertFits } from '../../testing/document-schemas.ts';
import { fakeFlip } from '../../testing/monitor/flips.ts';
import { temporaryHistory } from '../../testing/monitor/open-recorder.ts';
import { addToRollups, DAY, HOUR } from '../history/rollups.ts';
import { enterScenario } from '../history/scenarios.ts';
import type { Monitor } from '../monitor.ts';
import { IncidentBook } from '../status/incident.ts';
import { dayBar, latencyChart, layout, percent, roundAbove, uptimeText } from './components.ts';
import { dayCode, latencySeries, ranges } from './figures.ts';
import { badge, statusDocument } from './status-json.ts';
import { countsText, isBad, overallText, type ScenarioView, type Shown, shownStates, worstOf } from './view.ts';

test('text of a service stays text on the page', () => {
  const evil = '<script>alert("1")</script>\u0000\u001b[31m&\'';
  const { text } = html`<p title="${evil}">${[html`<b>${evil}</b>`]}${false}${undefined}</p>`;
  assert.equal(text.includes('<script>'), false);
  assert.equal(escapeText('\u0000a\tb'), '\ufffda\tb');
  const month = { downMs: 0, observedMs: 2 * HOUR, ratio: 1, withoutData: 0.9 };
  assert.equal(badge(evil, [{ shown: 'up' }], month).includes('<script>'), false);
  assert.match(badge('staging', [{ shown: 'up' }], month), /staging: up, 100\s% of 2 h</);
  assert.match(badge('staging', [{ shown: 'up' }], { ...month, withoutData: 0 }), /staging: up, 100\s% in 30 d</);
});

test('a percentage is never rounded up to 100', () => {
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
});

test('the state of many is the worst of them, with its count', () => {
  const rows: [Shown[], Shown, string][] = [
    [[], 'pending', 'No scenarios are monitored'],
    [['up', 'up'], 'up', 'All 2 scenarios up'],
    [['up', 'skipped'], 'up', '1 scenario up, 1 skipped'],
    [['down', 'skipped'], 'down', '1 of 1 scenarios down'],
    [['skipped'], 'skipped', 'No scenarios are monitored'],
    [['up', 'pending'], 'pending', '1 of 2 scenarios up, the others have not run yet'],
    [['up', 'unknown', 'pending'], 'unknown', '1 of 3 scenarios unknown'],
    [['up', 'degraded', 'unknown'], 'degraded', '1 of 3 scenarios degraded'],
    [['down', 'down', 'degraded'], 'down', '2 of 3 scenarios down'],
    [['down', 'pending', 'pending'], 'down', '1 of 3 scenarios down, 2 waiting'],
  ];
  for (const [all, shown, text] of rows) {
    const found = all.map((one) => ({ shown: one }));
    assert.deepEqual([worstOf(found), overallText(found)], [shown, text]);
  }
  const hanging = ['pending', 'down', 'pending', 'up'].map((shown) => ({ shown: shown as Shown }));
  assert.equal(countsText(hanging), '1 down, 2 waiting for it, 1 up');
  const bad = shownStates.filter((shown) => isBad({ shown }));
  assert.deepEqual(bad, ['down', 'unjudged', 'degraded', 'unknown'], 'what needs attention');
});

const view = (shown: string) => ({ shown, known: { area: 'friends' } }) as ScenarioView;

/** `/status.json` for environments named `e0`, `e1` and so on. Each string lists the states of the scenarios in one environment. */
function statusOf(environments: readonly string[], incidents = new IncidentBook()) {
  const monitor = { recorder: { incidents, calendar: { planned: () => [] } }, pageUrl: 'http://page.test/' };
  const views = environments.map((all, index) => ({
    name: `e${index}`,
    scenarios: all.split(' ').filter(Boolean).map(view),
  }));
  const document = statusDocument(views, monitor as unknown as Monitor, 0);
  assertFits('status', document);
  return document;
}

test('environments are groups of areas; of a large incident, the latest updates are listed', () => {
  const book = new IncidentBook();
  for (let id = 1; id <= 4_400; id++)
    book.add(fakeFlip({ id, scenario: { environment: 'e1', title: `scenario ${id}` }, since: id, incident: 1 }));
  const { components, incidents } = statusOf(['up up', 'down up'], book);
  assert.deepEqual(
    components.map((one) => `${one.id} ${one.status}`),
    ['e0 operational', 'e0-friends operational', 'e1 partial_outage', 'e1-friends partial_outage'],
  );
  const [{ name, incident_updates: updates } = assert.fail()] = incidents;
  assert.match(name, /4400 scenarios down/);
  assert.deepEqual([updates.length, updates.at(-1)?.id], [50, '4400']);
});

test('the indicator is as grave as the gravest component', () => {
  const rows = { '': 'none', up: 'none', 'unknown up': 'none', 'degraded up': 'minor', 'unjudged up': 'minor' };
  for (const [all, indicator] of Object.entries({ ...rows, 'down up': 'major', 'down down': 'critical' }))
    assert.equal(statusOf([all]).status.indicator, indicator, all);
});

test('an incident knows at once who is in it, and its cause', () => {
  const book = new IncidentBook();
  const flip = (id: number, title: string, to: 'down' | 'up', kind: Cause['kind']) =>
    fakeFlip({
      id,
      scenario: { environment: 'e1', title },
      to,
      incident: 1,
      cause: { kind, address: 'http://a.test/' },
    });
  const states = [
    flip(1, 'a', 'down', 'operation'),
    flip(2, 'b', 'down', 'address'),
    flip(3, 'b', 'up', 'operation'),
    flip(4, 'a', 'up', 'operation'),
    flip(5, 'a', 'down', 'operation'),
  ].map((each) => {
    book.add(each);
    const { open, cause, until } = book.get(1) ?? assert.fail();
    return `${open.map(({ scenario }) => scenario.title).join()} ${cause.kind}${until === undefined ? '' : ', over'}`;
  });
  assert.deepEqual(states, ['a operation', 'a,b address', 'a operation', ' address, over', 'a operation']);
});

test('nothing in the frame of a page looks like quoted-printable, which the search for secrets would decode', () => {
  const [page = '', footer = ''] = layout({ title: 'Status', body: html`<p>all is well</p>` });
  assert.doesNotMatch(page + footer, /=[\da-f]{2}/i);
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
  // The chart has one stroke for each hour with runs, and none for other hours. The height of a stroke is the p50, on a scale up to 60 ms.
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
