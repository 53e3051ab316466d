import { type Verdict, verdicts } from '../client/index.ts';
import { phaseSums } from '../runner/index.ts';
import {
  addProcessMetrics,
  buildInfo,
  counter,
  credentialRow,
  gauge,
  type MetricRow,
  type MetricsPage,
  pageOf,
  phaseRow,
  registryOf,
} from '../serving/prometheus.ts';
import type { Measured, Prober } from './prober.ts';

export function ownMetrics({ counts, queue, store }: Prober): () => Promise<MetricsPage> {
  const registry = registryOf([
    counter('sextant_prober_probes_total', 'Probes that ran, by how they ended', () =>
      Object.entries(counts.ended).map(([outcome, count]) => [{ outcome }, count]),
    ),
    gauge('sextant_prober_probes_running', 'Runs under way, clean-up included', () => queue.running),
    gauge('sextant_prober_probes_waiting', 'Runs that wait for their turn', () => queue.waiting),
    counter('sextant_prober_rejected_total', 'Probes that were refused with 503', () => counts.rejected),
    counter('sextant_prober_joined_total', 'Probes that shared the run of another one', () => counts.joined),
    gauge(
      'sextant_environment_problem',
      'Whether an environment can not be probed now: its files are wrong, or consent is missing',
      () => [...store.entries].map(([environment, { served }]) => [{ environment }, Number(served.state !== 'ready')]),
    ),
    credentialRow(() => [...store.entries.values()].flatMap(({ usable }) => usable ?? [])),
    buildInfo('prober'),
  ]);
  addProcessMetrics(registry);
  return () => pageOf(registry);
}

/** The metrics of one probe, with blackbox_exporter's names where they exist. Every label is out of a fixed set. */
export function probeMetrics({ results, outcome, durationMs = 0 }: Measured): Promise<MetricsPage> {
  const exchanges = results.flatMap((result) => result.exchanges);
  const { status = 0, phases = {} } = phaseSums(exchanges);
  const ends = exchanges.flatMap(({ certificateValidTo }) => certificateValidTo ?? []);
  const starts = results.filter(({ verdict }) => verdicts[verdict].ran).map(({ startedAt }) => startedAt);
  const operations = Map.groupBy(exchanges, ({ operation }) => operation);
  const byOperation = (name: string, help: string, value: (calls: typeof exchanges) => number) =>
    operations.size > 0 &&
    gauge(name, help, () => [...operations].map(([operation, calls]) => [{ operation }, value(calls)]));
  const rows: (MetricRow | false)[] = [
    outcome.success !== undefined &&
      gauge('probe_success', 'Whether the module passed; absent when it could not be judged', () =>
        Number(outcome.success),
      ),
    gauge('probe_duration_seconds', 'Duration of the probe without its wait for a place', () => durationMs / 1000),
    phaseRow('the probe', () => [[{}, phases]]),
    gauge('probe_http_status_code', 'Status of the last HTTP response; 0 without one', () => status),
    ends.length > 0 &&
      gauge(
        'probe_ssl_earliest_cert_expiry',
        'Earliest certificate expiry, in unixtime',
        () => Math.min(...ends) / 1000,
      ),
    starts.length > 0 &&
      gauge(
        'sextant_last_run_timestamp_seconds',
        'Start of the oldest run behind this probe, in unixtime: what uses up data runs less often',
        () => Math.min(...starts) / 1000,
      ),
    gauge('sextant_probe_judged', 'Whether the suite could judge', () => Number(outcome.success !== undefined)),
    gauge('sextant_verdict', 'The verdict on the module: 1 for the current one', () =>
      (Object.keys(verdicts) as Verdict[]).map((verdict) => [{ verdict }, Number(verdict === outcome.verdict)]),
    ),
    byOperation(
      'sextant_operation_duration_seconds',
      'Duration of the longest call of an operation',
      (calls) => Math.max(...calls.map(({ durationMs: ms }) => ms)) / 1000,
    ),
    byOperation(
      'sextant_operation_status_code',
      'Status of the last response to an operation; 0 without one',
      (calls) => calls.findLast(({ response }) => response)?.response?.status ?? 0,
    ),
  ];
  return pageOf(registryOf(rows.filter((one) => one !== false)));
}
