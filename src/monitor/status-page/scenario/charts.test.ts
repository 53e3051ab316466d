import assert from 'node:assert/strict';
import { test } from 'node:test';
import { temporaryHistory } from '../../../testing/monitor/open-recorder.ts';
import { addToRollups, DAY, HOUR } from '../../history/rollups.ts';
import { enterScenario } from '../../history/scenarios.ts';
import { pathOf, percentileChart, ticks, vertical } from './charts.ts';
import { latencySeries, ranges } from './latency-series.ts';

test('the axis has round values, the last above everything', () => {
  const rows: [highest: number, axis: number[]][] = [
    [100, [0, 25, 50, 75, 100]],
    [101, [0, 50, 100, 150]],
    [7, [0, 2, 4, 6, 8]],
    [0.4, [0, 0.1, 0.2, 0.3, 0.4]],
  ];
  for (const [highest, axis] of rows)
    assert.deepEqual(
      ticks(highest).map((value) => Number(value.toFixed(6))),
      axis,
    );
  const y = vertical(100);
  assert.deepEqual([0, 50, 100, 500].map(y), [200, 100, 0, 0]);
});

test('a gap stays a gap, and a value alone is seen', () => {
  const x = (index: number) => index * 10;
  const y = (value: number) => value;
  assert.equal(pathOf([1, 2, undefined, 4, undefined, 5, 6], x, y), 'M0 1L10 2M28 4h4M50 5L60 6');
});

test('a series has each hour of a day, with percentiles', async (t) => {
  const db = temporaryHistory(t);
  const { id } = enterScenario(db, { environment: 'e', title: 'block', area: 'friends', effect: 'read' }, 0);
  const now = 10 * DAY + 5.5 * HOUR;
  for (const ms of [10, 20, 30]) addToRollups(db, id, now, { runs: 1, judged: 1, good: 1 }, ms);
  addToRollups(db, id, now - 24 * HOUR, { runs: 1, judged: 1, good: 1 }, 99);
  addToRollups(db, id, now - 23 * HOUR, { runs: 2, judged: 1, good: 1 }, 50);
  const series = await latencySeries(db, id, ranges[0], now);
  assert.equal(series.points.length, 24);
  assert.deepEqual([series.from, series.to], [9 * DAY + 6 * HOUR, 10 * DAY + 6 * HOUR]);
  const [first, last] = [series.points[0], series.points.at(-1)];
  assert.deepEqual([first?.runs, Math.round(first?.p50 ?? 0)], [2, 50]);
  assert.deepEqual([last?.runs, Math.round(last?.p50 ?? 0)], [3, 20]);
  assert.equal(Math.round(series.whole.p99 ?? 0), 50);

  const span = { from: now - 2 * HOUR, to: now - HOUR };
  const marks = { down: [span], maintenance: [{ from: 0, to: 5 }], flips: [span.from, 7] };
  const chart = percentileChart(series, marks).text;
  assert.match(chart, /<title>1970-01-11 05:00 UTC: p50 20\.\d ms, p95 30\.\d ms, p99 30\.\d ms; 3 runs<\/title>/);
  assert.match(chart, /<title>1970-01-11 04:00 UTC: no data<\/title>/);
  assert.match(chart, /class="was-down" x="895\.8" y="0" width="41\.7"/);
  assert.doesNotMatch(chart, /in-maintenance/, 'maintenance of another time');
  assert.equal(chart.match(/class="flipped"/g)?.length, 1);
  const year = await latencySeries(db, id, ranges[3], now);
  assert.deepEqual([year.points.length, year.points.at(-1)?.runs, year.points.at(-2)?.runs], [365, 3, 3]);
});
