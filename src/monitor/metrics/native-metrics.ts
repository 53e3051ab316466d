import type { Gauge, Metric, Registry } from 'prom-client';
import { userAgent } from '../../client/index.ts';
import { addCredentialGauge } from '../../serving/credential-gauge.ts';
import { addGauge } from '../../serving/gauge.ts';
import { type Status, statuses, statusOf } from '../status/status.ts';
import type { Exposed } from './exposed.ts';
import { labelNames } from './label-names.ts';
import type { Observations } from './observations.ts';

/** The metrics that blackbox_exporter has no name for. */
export function addNativeMetrics(
  registry: Registry,
  { observations, scenarios, openIncidents, environments, health, watched }: Exposed,
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
  addCredentialGauge(registry, watched);
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
