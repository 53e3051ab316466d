import { phaseSums } from '../run/index.ts';
import {
  buildInfo,
  counter,
  credentialRow,
  gauge,
  type Metric,
  metricsPage,
  phaseRow,
  processMetrics,
} from '../server/prometheus.ts';
import { verdicts } from '../verdict/index.ts';
import type { Measured, Prober } from './prober.ts';

export function ownMetrics({ counts, running, waiting, store }: Prober) {
  const entries = [...store.entries];
  return metricsPage([
    counter(
      'sextant_prober_probes_total',
      'Probes that ran, by how they ended',
      Object.entries(counts.ended).map(([outcome, count]) => [{ outcome }, count]),
    ),
    gauge('sextant_prober_probes_running', 'Runs under way, clean-up included', running),
    gauge('sextant_prober_probes_waiting', 'Runs that wait for their turn', waiting),
    counter('sextant_prober_rejected_total', 'Probes that were refused with 503', counts.rejected),
    counter('sextant_prober_joined_total', 'Probes that shared the run of another one', counts.joined),
    gauge(
      'sextant_environment_problem',
      'Whether an environment can not be probed now: its files are wrong, or consent is missing',
      entries.map(([environment, { served }]) => [{ environment }, Number(served.state !== 'ready')]),
    ),
    credentialRow(entries.flatMap(([, { usable }]) => usable ?? [])),
    buildInfo('prober'),
    ...processMetrics(),
  ]);
}

/**
 * The metrics of one probe. A metric that blackbox_exporter has, too, has the same name here. The values of labels come from fixed sets, so
 * that there are only a few of them.
 */
export function probeMetrics({ results, outcome, durationMs = 0 }: Measured) {
  const exchanges = results.flatMap((result) => result.exchanges);
  const { status = 0, phases = {} } = phaseSums(exchanges);
  const ends = exchanges.flatMap(({ certificateValidTo }) => certificateValidTo ?? []);
  const starts = results.filter(({ verdict }) => verdicts[verdict].ran).map(({ startedAt }) => startedAt);
  const operations = [...Map.groupBy(exchanges, ({ operation }) => operation)];
  const byOperation = (name: string, help: string, value: (calls: typeof exchanges) => number): Metric =>
    gauge(
      name,
      help,
      operations.map(([operation, calls]) => [{ operation }, value(calls)]),
    );
  const earliest = (times: readonly number[]) => (times.length > 0 ? Math.min(...times) / 1000 : undefined);
  return metricsPage([
    gauge('probe_success', 'Whether the module passed; absent when it could not be judged', [
      [{}, outcome.success === undefined ? undefined : Number(outcome.success)],
    ]),
    gauge('probe_duration_seconds', 'Duration of the probe without its wait for a place', durationMs / 1000),
    phaseRow('the probe', phases),
    gauge('probe_http_status_code', 'Status of the last HTTP response; 0 without one', status),
    gauge('probe_ssl_earliest_cert_expiry', 'Earliest certificate expiry, in unixtime', [[{}, earliest(ends)]]),
    gauge(
      'sextant_last_run_timestamp_seconds',
      'Start of the oldest run behind this probe, in unixtime: what uses up data runs less often',
      [[{}, earliest(starts)]],
    ),
    gauge('sextant_probe_judged', 'Whether the suite could judge', Number(outcome.success !== undefined)),
    gauge(
      'sextant_verdict',
      'The verdict on the module: 1 for the current one',
      Object.keys(verdicts).map((verdict) => [{ verdict }, Number(verdict === outcome.verdict)]),
    ),
    gauge(
      'sextant_drifted',
      'Whether something that was learned no longer holds, though it breaks no consumer: what breaks one fails the probe',
      Number(outcome.success === true && outcome.verdict === 'drifted'),
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
  ]);
}
