import type { Metric } from '@prometheus-io/client';
import {
  buildInfo,
  counter,
  credentialRow,
  gauge,
  type MetricRow,
  type MetricsPage,
  pageOf,
  phaseRow,
  registryOf,
} from '../../serving/prometheus.ts';
import { statuses, statusOf } from '../status/status.ts';
import type { Exposed, Observations } from './observations.ts';

type Observed = () => readonly Observations[];

/** Metrics, with blackbox_exporter's names where they exist; labels are bounded by the monitored scenarios. */
export function exposition(monitor: Exposed, observations: Observed): () => Promise<MetricsPage> {
  const registry = registryOf([...ofRuns(observations), ...ofStates(monitor, observations), ...ofMonitor(monitor)]);
  const { location } = monitor.settings;
  if (location) registry.setDefaultLabels({ location });
  registry.registerMetric(durationMetric(observations) as unknown as Metric);
  return () => pageOf(registry);
}

function ofRuns(observations: Observed): MetricRow[] {
  const each = (name: string, help: string, value: (observed: Observations) => number | undefined) =>
    gauge(name, help, () => observations().map((observed) => [observed.labels, value(observed)]));
  return [
    each('probe_success', 'Whether the first attempt of the last judged run passed', ({ success }) =>
      success === undefined ? undefined : Number(success),
    ),
    each('probe_duration_seconds', 'Duration of the first attempt of the last run', (one) => one.durationMs / 1000),
    each('probe_http_status_code', 'Status of the last HTTP response of the last run', ({ status }) => status),
    each('probe_ssl_earliest_cert_expiry', 'Earliest certificate expiry, in unixtime', ({ certificateEnds: end }) =>
      end === undefined ? undefined : end / 1000,
    ),
    phaseRow('the last run', () => observations().map(({ labels, phases }) => [labels, phases])),
    counter('sextant_runs_total', 'Number of runs by verdict of the first attempt', () =>
      observations().flatMap(({ labels, runs }) =>
        [...runs].map(([verdict, count]) => [{ ...labels, verdict }, count] as const),
      ),
    ),
    each('sextant_last_run_timestamp_seconds', 'Start of the last run, in unixtime', (one) => one.startedAt / 1000),
  ];
}

function ofStates({ recorder, environments }: Exposed, observations: Observed): MetricRow[] {
  const standings = () =>
    recorder.scenarios.monitored.map(({ environment, area, title, standing }) => ({
      labels: { environment, area, scenario: title },
      status: statusOf(standing),
    }));
  return [
    gauge(
      'sextant_scenario_state',
      'State of the scenario after confirmation and hysteresis: 1 for the current one',
      () =>
        standings().flatMap(({ labels, status }) =>
          statuses.map((state) => [{ ...labels, state }, Number(status === state)] as const),
        ),
    ),
    gauge('sextant_scenario_down', 'Whether the scenario is down, after confirmation and hysteresis', () =>
      standings().map(({ labels, status }) => [labels, Number(status === 'down')]),
    ),
    gauge('sextant_incidents_open', 'Open incidents; one that several environments share counts in each', () => {
      const counts = new Map(environments.map(({ name }) => [name, 0]));
      for (const { open } of recorder.incidents.open)
        for (const name of new Set(open.map(({ scenario }) => scenario.environment)))
          counts.set(name, (counts.get(name) ?? 0) + 1);
      return [...counts].map(([environment, count]) => [{ environment }, count]);
    }),
    credentialRow(() => new Set(observations().map(({ target }) => target.environment))),
  ];
}

function ofMonitor(monitor: Exposed): MetricRow[] {
  return [
    buildInfo('monitor'),
    gauge(
      'sextant_notices_waiting',
      'Notices in the outbox that are still to be sent',
      () => monitor.health().outbox.waiting,
    ),
    gauge('sextant_healthy', 'Whether the monitor itself is healthy', () => Number(monitor.health().isWell)),
  ];
}

/** A histogram that was counted before the library was loaded, in the library's own form. */
function durationMetric(observations: Observed) {
  const name = 'sextant_probe_duration_seconds';
  const valuesOf = ({ labels, durations, durationSum }: Observations) => [
    ...[...durations].map(([bound, value]) => {
      const le = Number.isFinite(bound) ? String(bound) : '+Inf';
      return { metricName: `${name}_bucket`, labels: { ...labels, le }, value };
    }),
    { metricName: `${name}_sum`, labels, value: durationSum },
    { metricName: `${name}_count`, labels, value: Math.max(...durations.values()) },
  ];
  return {
    name,
    get: async () => ({
      name,
      help: 'Duration of first attempts',
      type: 'histogram',
      aggregator: 'sum',
      values: observations().flatMap(valuesOf),
    }),
    reset: () => {},
  };
}
