import { Counter, type Gauge, Registry } from 'prom-client';
import { phaseNames } from '../../client/index.ts';
import { addGauge } from '../../serving/gauge.ts';
import { blackboxPhases } from '../../serving/index.ts';
import type { Exposed } from './exposed.ts';
import { labelNames } from './label-names.ts';
import { addNativeMetrics } from './native-metrics.ts';
import type { MetricsText, Observations } from './observations.ts';

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
