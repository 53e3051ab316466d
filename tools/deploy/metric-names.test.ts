import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { stringify } from 'yaml';
import { projectRoot } from '../../src/environment/project-root.ts';
import { Metrics } from '../../src/monitor/metrics/metrics.ts';
import type { RunRecorder } from '../../src/monitor/recording/run-recorder.ts';
import { probeMetrics } from '../../src/prober/metrics.ts';
import { runScenario, scenarios } from '../../src/run/index.ts';
import { startProberBench } from '../../src/testing/programs/prober-bench.ts';
import { ownFolder, ownService } from '../../src/testing/servers/own-service.ts';
import { embeddedEnvironment } from '../../src/testing/test-environment.ts';
import { missing, outputOf } from './programs.ts';
import { ruleGroups } from './rules.ts';

const environment = embeddedEnvironment(await ownService());
const all = await scenarios();
const bench = await startProberBench([environment], all);
const folder = ownFolder();
after(() => bench.stop());

const namesIn = (text: string) => [...text.matchAll(/^# TYPE (\w+)/gm)].map(([, name = '']) => name);
const emitted = new Set(namesIn((await ofProber()).join('')));
const byMonitor = new Set(namesIn(ofMonitor()));
const rules = ruleGroups().flatMap((group) => group.rules);

/**
 * The metrics of a prober on /metrics and /probe. The expiry of a certificate is a metric only with TLS, so each exchange gets an expiry
 * here.
 */
async function ofProber(): Promise<readonly string[]> {
  const own = await bench.ask('/metrics');
  const [scenario] = all.filter(({ title }) => title === 'evaluate a flag with default');
  assert.ok(scenario);
  const result = await runScenario(scenario, { environment, seed: 'names', runId: randomUUID() });
  const exchanges = result.exchanges.map((exchange) => ({ ...exchange, certificateValidTo: Date.now() }));
  const outcome = { verdict: result.verdict, success: true };
  const { body: text } = await probeMetrics({ results: [{ ...result, exchanges }], outcome, durationMs: 1 });
  return [own.text, text];
}

/** The text of a monitor's /metrics. It also names the metrics that have no value yet. */
function ofMonitor(): string {
  const recorder = { scenarios: { monitored: [] }, incidents: { open: [] } } as unknown as RunRecorder;
  const health = () => ({ isWell: true, outbox: { waiting: 0 } });
  return new Metrics({ environments: [], recorder, settings: {}, health }).page().body;
}

/** The metrics in a PromQL query: its names, without functions (before brackets) and labels (in braces, or after `by`, `on` and so on). */
function metricsIn(expr: string): string[] {
  const bare = expr
    .replace(/"[^"]*"/g, '""')
    .replace(/\{[^}]*\}/g, '')
    .replace(/\[[^\]]*\]/g, '')
    .replace(/\b(by|on|without|ignoring) \([^)]*\)/g, ' ');
  const words = bare.match(/\b[a-z_A-Z][\w:]*\b(?!\s*\()/g) ?? [];
  return words.filter((word) => !['and', 'or', 'unless', 'bool', 'by', 'on', 'offset'].includes(word));
}

interface Dashboard {
  readonly panels: readonly Panel[];
  readonly annotations: { readonly list: readonly { readonly expr: string }[] };
  readonly templating: { readonly list: readonly { readonly definition?: string }[] };
}

interface Panel {
  readonly id: number;
  readonly title: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets?: readonly { readonly expr: string }[];
}

/** Returns the panels of a dashboard, and the queries in it. */
function dashboard(name: string) {
  const text = readFileSync(join(projectRoot, `deploy/grafana/dashboards/${name}.json`), 'utf8');
  const { panels, annotations, templating } = JSON.parse(text) as Dashboard;
  const variables = templating.list.flatMap(
    ({ definition = '' }) => /^label_values\((.*), \w+\)$/.exec(definition)?.[1] ?? [],
  );
  const marks = annotations.list.map(({ expr }) => expr);
  const drawn = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
  return { panels, drawn, queries: [...drawn, ...marks, ...variables] };
}

const [prober, monitor] = [dashboard('sextant'), dashboard('sextant-monitor')];

test('a query’s metrics are found', () => {
  assert.deepEqual(
    metricsIn('sum by (a, b) (rate(x_total{job="up"}[5m] offset 1m)) / on (c) y:z:count1h >= bool 2 or vector(0)'),
    ['x_total', 'y:z:count1h'],
  );
});

test('each metric in the rules and the dashboards is one that their program emits, Prometheus has, or a rule records', () => {
  const known = new Set([...emitted, 'up', 'ALERTS', ...rules.flatMap(({ record }) => record ?? [])]);
  assert.ok(known.has('probe_success') && known.has('sextant_prober_rejected_total'));
  for (const expr of [...rules.map((rule) => rule.expr), ...prober.queries])
    for (const name of metricsIn(expr)) assert.ok(known.has(name), `${name} in ${expr}`);
  for (const expr of monitor.queries)
    for (const name of metricsIn(expr)) assert.ok(byMonitor.has(name.replace(/_bucket$/, '')), `${name} in ${expr}`);
});

test('a dashboard shows every metric that its program emits, but those of Node itself', () => {
  const hidden = (names: ReadonlySet<string>, { drawn }: typeof prober) => {
    const shown = new Set(drawn.flatMap(metricsIn).map((name) => name.replace(/_bucket$/, '')));
    return [...names].filter((name) => !shown.has(name) && !/^(process|nodejs)_/.test(name));
  };
  // The dashboard leaves out only this metric, because it shows the status of each operation.
  assert.deepEqual(hidden(emitted, prober), ['probe_http_status_code']);
  assert.deepEqual(hidden(byMonitor, monitor), []);
});

test('both programs have the same metrics of their process and of Node', () => {
  const own = (names: ReadonlySet<string>) => [...names].filter((name) => /^(process|nodejs)_/.test(name));
  assert.ok(own(byMonitor).length > 5);
  assert.deepEqual(own(byMonitor), own(emitted));
});

test('every recorded series is used, by an alert, another rule or the dashboard', () => {
  const used = new Set([...rules.map(({ expr }) => expr), ...prober.drawn].flatMap(metricsIn));
  for (const { record } of rules) if (record) assert.ok(used.has(record), record);
});

for (const [name, { panels }] of Object.entries({ prober, monitor }))
  test(`no two panels of the dashboard for a ${name} overlap, and each has an id of its own`, () => {
    assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length);
    const overlap = ({ gridPos: a }: Panel, { gridPos: b }: Panel) =>
      a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
    for (const [index, panel] of panels.entries())
      assert.equal(panels.slice(index + 1).find((other) => overlap(panel, other))?.title, undefined, panel.title);
  });

test("promtool's lint finds nothing in the metrics of a prober and a monitor", {
  skip: missing('promtool'),
}, async () => {
  for (const input of [...(await ofProber()), ofMonitor()]) {
    const { code, text } = outputOf('promtool', ['check', 'metrics'], input);
    assert.deepEqual([code, text], [0, '']);
  }
});

test('Prometheus can read every query of the dashboards', { skip: missing('promtool') }, () => {
  const file = join(folder, 'dashboard.yml');
  const queries = [...prober.drawn, ...monitor.drawn].map((expr, index) => ({ record: `panel:${index}`, expr }));
  writeFileSync(file, stringify({ groups: [{ name: 'dashboard', rules: queries }] }));
  const { code, text } = outputOf('promtool', ['check', 'rules', '--lint=none', file]);
  assert.equal(code, 0, text);
});
