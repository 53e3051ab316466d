import { collectDefaultMetrics } from 'prom-client';
import { phaseNames, type Verdict, verdicts } from '../client/index.ts';
import { phaseSums } from '../runner/index.ts';
import {
  blackboxPhases,
  buildInfo,
  credentialRow,
  type MetricRow,
  type MetricsText,
  registryOf,
  textOf,
} from '../serving/prometheus.ts';
import type { Measured, Prober } from './prober.ts';

/** The metrics of the prober itself. */
export function ownMetrics({ counts, queue, store }: Prober): () => Promise<MetricsText> {
  const registry = registryOf([
    {
      name: 'sextant_prober_probes_total',
      help: 'Probes that ran, by how they ended',
      labels: ['outcome'],
      isCounter: true,
      values: () => [...counts.ended].map(([outcome, count]) => [{ outcome }, count]),
    },
    {
      name: 'sextant_prober_probes_running',
      help: 'Runs under way, clean-up included',
      values: () => queue.running,
    },
    { name: 'sextant_prober_probes_waiting', help: 'Runs that wait for their turn', values: () => queue.waiting },
    {
      name: 'sextant_prober_rejected_total',
      help: 'Probes that were refused with 503',
      isCounter: true,
      values: () => counts.rejected,
    },
    {
      name: 'sextant_prober_joined_total',
      help: 'Probes that shared the run of another one',
      isCounter: true,
      values: () => counts.joined,
    },
    {
      name: 'sextant_environment_problem',
      help: 'Whether an environment can not be probed now: its files are wrong, or consent is missing',
      labels: ['environment'],
      values: () =>
        store.names.map((environment) => [{ environment }, Number(store.get(environment)?.state !== 'ready')]),
    },
    credentialRow(() => store.names.flatMap((name) => store.usable(name) ?? [])),
    buildInfo('prober'),
  ]);
  collectDefaultMetrics({ register: registry });
  return () => textOf(registry);
}

/** The metrics of one probe, with blackbox_exporter's names where they exist. Every label is out of a fixed set. */
export function probeMetrics({ results, outcome, durationMs = 0 }: Measured): Promise<MetricsText> {
  const exchanges = results.flatMap((result) => result.exchanges);
  const { status = 0, phases = {} } = phaseSums(exchanges);
  const ends = exchanges.flatMap(({ certificateValidTo }) => certificateValidTo ?? []);
  const starts = results.filter(({ verdict }) => verdicts[verdict].ran).map(({ startedAt }) => startedAt);
  const ofOperation = Map.groupBy(exchanges, ({ operation }) => operation);
  const row = (name: string, help: string, value: number): MetricRow => ({ name, help, values: () => value });
  const rows: (MetricRow | false)[] = [
    outcome.success !== undefined &&
      row('probe_success', 'Whether the module passed; absent when it could not be judged', Number(outcome.success)),
    row('probe_duration_seconds', 'Duration of the probe without its wait for a place', durationMs / 1000),
    {
      name: 'probe_http_duration_seconds',
      help: 'Time spent in each phase of HTTP requests, summed over the calls of the probe',
      labels: ['phase'],
      values: () => phaseNames.map((name) => [{ phase: blackboxPhases[name] }, (phases[name] ?? 0) / 1000]),
    },
    row('probe_http_status_code', 'Status of the last HTTP response; 0 without one', status),
    ends.length > 0 &&
      row('probe_ssl_earliest_cert_expiry', 'Earliest certificate expiry, in unixtime', Math.min(...ends) / 1000),
    starts.length > 0 &&
      row(
        'sextant_last_run_timestamp_seconds',
        'Start of the oldest run behind this probe, in unixtime: what uses up data runs less often',
        Math.min(...starts) / 1000,
      ),
    row('sextant_probe_judged', 'Whether the suite could judge', Number(outcome.success !== undefined)),
    {
      name: 'sextant_verdict',
      help: 'The verdict on the module: 1 for the current one',
      labels: ['verdict'],
      values: () =>
        (Object.keys(verdicts) as Verdict[]).map((verdict) => [{ verdict }, Number(verdict === outcome.verdict)]),
    },
    exchanges.length > 0 && {
      name: 'sextant_operation_duration_seconds',
      help: 'Duration of the longest call of an operation',
      labels: ['operation'],
      values: () =>
        [...ofOperation].map(([operation, calls]) => [
          { operation },
          Math.max(...calls.map(({ durationMs: ms }) => ms)) / 1000,
        ]),
    },
    exchanges.length > 0 && {
      name: 'sextant_operation_status_code',
      help: 'Status of the last response to an operation; 0 without one',
      labels: ['operation'],
      values: () =>
        [...ofOperation].map(([operation, calls]) => [
          { operation },
          calls.findLast(({ response }) => response)?.response?.status ?? 0,
        ]),
    },
  ];
  return textOf(registryOf(rows.filter((one) => one !== false)));
}
