import { Counter, type Gauge, type Metric, Registry } from 'prom-client';
import { phaseNames, userAgent } from '../../client/index.ts';
import { blackboxPhases } from '../../serving/index.ts';
import { addGauge } from '../../serving/prometheus.ts';
import { type Status, statuses, statusOf } from '../status/status.ts';
import { type Exposed, labelNames, type MetricsText, type Observations } from './observations.ts';

/** Metrics, with blackbox_exporter's names where they exist; labels are bounded by the monitored scenarios. */
export function exposition(exposed: Exposed): () => Promise<MetricsText> {
  const { observations, location } = exposed;
  const registry = new Registry();
  if (location) registry.setDefaultLabels({ location });
  const gauge = (name: string, help: string, labels: readonly string[], collect: (gauge: Gauge) => void) =>
    addGauge(registry, { name, help, labels }, collect);
  const ofEach = (name: string, help: string, value: (observed: Observations) => number | undefined) =>
    gauge(name, help, labelNames, (metric) => {
      for (const observed of observations()) {
        const found = value(observed);
        if (found !== undefined) metric.set(observed.labels, found);
      }
    });
  ofEach('probe_success', 'Whether the first attempt of the last judged run passed', ({ success }) =>
    success === undefined ? undefined : Number(success),
  );
  ofEach(
    'probe_duration_seconds',
    'Duration of the first attempt of the last run',
    ({ durationMs }) => durationMs / 1000,
  );
  ofEach('probe_http_status_code', 'Status of the last HTTP response of the last run', ({ status }) => status);
  ofEach(
    'probe_ssl_earliest_cert_expiry',
    'Earliest certificate expiry, in unixtime',
    ({ certificateEnds }) => certificateEnds && certificateEnds / 1000,
  );
  gauge(
    'probe_http_duration_seconds',
    'Time spent in each phase of HTTP requests, summed over the calls of the last run',
    [...labelNames, 'phase'],
    (metric) => {
      for (const { labels, phases } of observations())
        for (const name of phaseNames)
          metric.set({ ...labels, phase: blackboxPhases[name] }, (phases[name] ?? 0) / 1000);
    },
  );
  new Counter({
    name: 'sextant_runs_total',
    help: 'Number of runs by verdict of the first attempt',
    labelNames: [...labelNames, 'verdict'],
    registers: [registry],
    collect() {
      this.reset();
      for (const { labels, runs } of observations())
        for (const [verdict, count] of runs) this.inc({ ...labels, verdict }, count);
    },
  });
  addNativeMetrics(registry, exposed);
  return async () => ({ type: registry.contentType, text: await registry.metrics() });
}

/** The metrics that blackbox_exporter has no name for. */
export function addNativeMetrics(
  registry: Registry,
  { observations, scenarios, openIncidents, environments, health, credentials }: Exposed,
): void {
  const gauge = (name: string, help: string, labels: readonly string[], collect: (gauge: Gauge) => void) =>
    addGauge(registry, { name, help, labels }, collect);
  registry.registerMetric(durationMetric(observations) as unknown as Metric);
  gauge('sextant_last_run_timestamp_seconds', 'Start of the last run, in unixtime', labelNames, (last) => {
    for (const { labels, startedAt } of observations()) last.set(labels, startedAt / 1000);
  });
  gauge(
    'sextant_scenario_state',
    'State of the scenario after confirmation and hysteresis: 1 for the current one',
    [...labelNames, 'state'],
    (metric) => {
      for (const { environment, area, title, standing } of scenarios())
        for (const state of statuses)
          metric.set({ environment, area, scenario: title, state }, Number(statusOf(standing) === state));
    },
  );
  gauge(
    'sextant_scenario_down',
    'Whether the scenario is down, after confirmation and hysteresis',
    labelNames,
    (metric) => {
      const isDown = (status: Status) => Number(status === 'down');
      for (const { environment, area, title, standing } of scenarios())
        metric.set({ environment, area, scenario: title }, isDown(statusOf(standing)));
    },
  );
  gauge(
    'sextant_incidents_open',
    'Open incidents; one that several environments share counts in each',
    ['environment'],
    (metric) => {
      for (const environment of environments) metric.set({ environment }, 0);
      for (const { open } of openIncidents())
        for (const environment of new Set(open.map((scenario) => scenario.environment))) metric.inc({ environment });
    },
  );
  gauge(
    'sextant_credential_expiry_timestamp_seconds',
    'Expiry of a credential, in unixtime, where it is known; renewed: whether it is issued anew before that',
    ['environment', 'credential', 'renewed'],
    (metric) => {
      for (const { environment, end } of credentials())
        metric.set({ environment, credential: end.key, renewed: String(end.isRenewed) }, end.endsAt / 1000);
    },
  );
  gauge('sextant_build_info', 'Version of the monitor and of Node; always 1', ['version', 'node'], (info) =>
    info.set({ version: userAgent.split('/')[1] ?? '', node: process.versions.node }, 1),
  );
  gauge('sextant_notices_waiting', 'Notices in the outbox that are still to be sent', [], (waiting) =>
    waiting.set(health().outbox.waiting),
  );
  gauge('sextant_healthy', 'Whether the monitor itself is healthy', [], (well) => well.set(Number(health().isWell)));
}

/** A histogram that was counted before the library was loaded, in the library's own form. */
function durationMetric(observations: Exposed['observations']) {
  const name = 'sextant_probe_duration_seconds';
  const valuesOf = ({ labels, durations }: Observations) => {
    const { buckets, sum } = durations.state;
    return [
      ...buckets.map(([le, value]) => ({ metricName: `${name}_bucket`, labels: { ...labels, le }, value })),
      { metricName: `${name}_sum`, labels, value: sum },
      { metricName: `${name}_count`, labels, value: buckets.at(-1)?.[1] ?? 0 },
    ];
  };
  return {
    name,
    get: async () => ({
      name,
      help: 'Duration of first attempts',
      type: 'histogram',
      aggregator: 'sum',
      values: [...observations()].flatMap(valuesOf),
    }),
    reset: () => {},
  };
}
