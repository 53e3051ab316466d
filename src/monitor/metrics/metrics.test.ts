import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import type { Scenario } from '../../run/index.ts';
import { fakeEnvironment, fakeExchange, fakeResult } from '../../testing/monitor/fakes.ts';
import type { Verdict } from '../../verdict/index.ts';
import type { KnownScenario } from '../history/scenarios.ts';
import type { ProbeTarget } from '../probe/targets.ts';
import type { Incident } from '../status/incident.ts';
import { unseen } from '../status/status.ts';
import { Metrics } from './metrics.ts';

const environment = fakeEnvironment('e');
const usual = { environment, area: 'friends', effect: 'read', intervalMs: 60_000, isRare: false } as const;
const target = (title: string): ProbeTarget => ({ ...usual, scenario: { title } as Scenario });

/** An incident that affects one scenario in each of these environments. */
const openIn = (...names: string[]) =>
  ({ open: names.map((environment) => ({ scenario: { environment } })) }) as unknown as Incident;

function metricsOf(location?: string): Metrics {
  const known = (title: string, standing: object) =>
    ({ environment: 'e', area: 'friends', title, standing: { ...unseen, ...standing } }) as KnownScenario;
  const monitored = [known('block', { down: true }), known('delete', { blind: 'skipped' })];
  return new Metrics({
    recorder: {
      scenarios: { monitored, find: () => undefined },
      incidents: { open: [openIn('e', 'e'), openIn('e', 'other')] },
    },
    environments: [{ name: 'e' }, { name: 'other' }],
    health: () => ({ isWell: true, problems: [], startedAt: 0, outbox: { waiting: 0, givenUp: 0 } }),
    settings: { location },
  } as unknown as ConstructorParameters<typeof Metrics>[0]);
}

function textOf(location?: string, accept?: string): string {
  const metrics = metricsOf(location);
  const block = target('block "twice"\n');
  const run = (verdict: Verdict, at: number, durationMs: number) =>
    metrics.observed(block, {
      first: fakeResult(verdict, at, { durationMs, exchanges: [fakeExchange()], trace: { id: `${at}` } }),
    });
  run('passed', 1_000, 50);
  run('failed', 61_500, 51);
  run('passed', 121_000, 60_000);
  metrics.observed(target('delete'), { first: fakeResult('skipped', 7_000) });
  return metrics.page(accept).body;
}

test('the metrics have a series for each fact, counted from before the first scrape', () => {
  const text = textOf();
  const labels = 'environment="e",area="friends",scenario="block \\"twice\\"\\n"';
  for (const line of [
    `probe_success{${labels}} 1`,
    `probe_duration_seconds{${labels}} 60`,
    `probe_http_status_code{${labels}} 500`,
    `probe_http_duration_seconds{${labels},phase="processing"} 0.01`,
    `probe_http_duration_seconds{${labels},phase="resolve"} 0`,
    `sextant_runs_total{${labels},verdict="passed"} 2`,
    `sextant_runs_total{${labels},verdict="failed"} 1`,
    `sextant_probe_duration_seconds_bucket{${labels},le="0.05"} 1`,
    ...['0.1', '0.25', '0.5', '1', '2.5', '5', '10', '30'].map(
      (le) => `sextant_probe_duration_seconds_bucket{${labels},le="${le}"} 2`,
    ),
    `sextant_probe_duration_seconds_bucket{${labels},le="+Inf"} 3`,
    `sextant_probe_duration_seconds_sum{${labels}} 60.101`,
    `sextant_probe_duration_seconds_count{${labels}} 3`,
    'sextant_probe_duration_seconds_bucket{environment="e",area="friends",scenario="delete",le="+Inf"} 0',
    'sextant_probe_duration_seconds_count{environment="e",area="friends",scenario="delete"} 0',
    `sextant_last_run_timestamp_seconds{${labels}} 121`,
    'sextant_incidents_open{environment="e"} 2',
    'sextant_incidents_open{environment="other"} 1',
    'sextant_scenario_state{environment="e",area="friends",scenario="block",state="down"} 1',
    'sextant_scenario_state{environment="e",area="friends",scenario="block",state="up"} 0',
    'sextant_scenario_state{environment="e",area="friends",scenario="delete",state="skipped"} 1',
    'sextant_scenario_down{environment="e",area="friends",scenario="delete"} 0',
  ])
    assert.ok(text.includes(`${line}\n`), `${line}\nis not in\n${text}`);
  assert.match(text, /^# TYPE sextant_probe_duration_seconds histogram$/m);
  assert.match(text, /^sextant_build_info\{version="\d+\.\d+\.\d+",node="\d+\.\d+\.\d+"\} 1$/m);
  assert.doesNotMatch(text, /location=/);
});

test('OpenMetrics has the last trace in each bucket, and names counters its own way', () => {
  const text = textOf(undefined, 'application/openmetrics-text;version=1.0.0,text/plain;q=0.5');
  const exemplars = [...text.matchAll(/le="(\S+)"\} \d+ # (.*)\n/g)].map(([, le, exemplar]) => `${le} ${exemplar}`);
  assert.deepEqual(exemplars, [
    '0.05 {trace_id="1000"} 0.05 1',
    '0.1 {trace_id="61500"} 0.051 61.5',
    '+Inf {trace_id="121000"} 60 121',
  ]);
  assert.match(text, /^# TYPE sextant_runs counter$/m);
  assert.match(text, /\n# EOF\n$/);
});

test('a location is a label of every series', () => {
  const text = textOf('fra-1');
  const series = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  assert.ok(series.length > 40);
  for (const line of series) assert.match(line, /location="fra-1"/);
});

const promtool = spawnSync('promtool', ['--version']).status === 0;
test("promtool's lint finds nothing", { skip: promtool ? false : 'promtool is not installed' }, () => {
  const input = textOf('fra-1');
  const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], { input, encoding: 'utf8' });
  assert.deepEqual([status, stdout, stderr], [0, '', '']);
});
