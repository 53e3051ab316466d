import { Counter, collectDefaultMetrics, Registry } from 'prom-client';
import { type Exchange, phaseNames, userAgent, type Verdict, verdicts } from '../client/index.ts';
import { phaseSums } from '../runner/index.ts';
import { blackboxPhases } from '../serving/index.ts';
import { addGauge } from '../serving/prometheus.ts';
import type { Measured, Prober } from './prober.ts';

/** The metrics of the prober itself. */
export function ownMetrics(prober: Prober): () => Promise<{ readonly type: string; readonly text: string }> {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const { counts, queue, store } = prober;
  const gauge = (name: string, help: string, value: () => number) =>
    addGauge(registry, { name, help }, (metric) => metric.set(value()));
  const counter = (name: string, help: string, value: () => number) =>
    new Counter({
      name,
      help,
      registers: [registry],
      collect() {
        this.reset();
        this.inc(value());
      },
    });
  new Counter({
    name: 'sextant_prober_probes_total',
    help: 'Probes that ran, by how they ended',
    labelNames: ['outcome'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [outcome, count] of counts.ended) this.inc({ outcome }, count);
    },
  });
  gauge('sextant_prober_probes_running', 'Runs under way, clean-up included', () => queue.running);
  gauge('sextant_prober_probes_waiting', 'Runs that wait for their turn', () => queue.waiting);
  counter('sextant_prober_rejected_total', 'Probes that were refused with 503', () => counts.rejected);
  counter('sextant_prober_joined_total', 'Probes that shared the run of another one', () => counts.joined);
  addGauge(
    registry,
    {
      name: 'sextant_environment_problem',
      help: 'Whether an environment can not be probed now: its files are wrong, or consent is missing',
      labels: ['environment'],
    },
    (metric) => {
      for (const name of store.names) metric.set({ environment: name }, Number(store.get(name)?.state !== 'ready'));
    },
  );
  addGauge(
    registry,
    {
      name: 'sextant_build_info',
      help: 'Version of the prober and of Node; always 1',
      labels: ['version', 'node'],
    },
    (info) => info.set({ version: userAgent.split('/')[1] ?? '', node: process.versions.node }, 1),
  );
  return async () => ({ type: registry.contentType, text: await registry.metrics() });
}

/** The metrics of one probe, with blackbox_exporter's names where they exist. Every label is out of a fixed set. */
export async function probeMetrics(measured: Measured): Promise<{ readonly type: string; readonly text: string }> {
  const { results, outcome, durationMs = 0 } = measured;
  const exchanges = results.flatMap((result) => result.exchanges);
  const { status = 0, phases = {} } = phaseSums(exchanges);
  const registry = new Registry();
  const gauge = (name: string, help: string, value: number) =>
    addGauge(registry, { name, help }, (metric) => metric.set(value));
  if (outcome.success !== undefined)
    gauge('probe_success', 'Whether the module passed; absent when it could not be judged', Number(outcome.success));
  gauge('probe_duration_seconds', 'Duration of the probe without its wait for a place', durationMs / 1000);
  addGauge(
    registry,
    {
      name: 'probe_http_duration_seconds',
      help: 'Time spent in each phase of HTTP requests, summed over the calls of the probe',
      labels: ['phase'],
    },
    (metric) => {
      for (const name of phaseNames) metric.set({ phase: blackboxPhases[name] }, (phases[name] ?? 0) / 1000);
    },
  );
  gauge('probe_http_status_code', 'Status of the last HTTP response; 0 without one', status);
  const ends = exchanges.flatMap(({ certificateValidTo }) => certificateValidTo ?? []);
  if (ends.length > 0)
    gauge('probe_ssl_earliest_cert_expiry', 'Earliest certificate expiry, in unixtime', Math.min(...ends) / 1000);
  const starts = results.filter(({ verdict }) => verdicts[verdict].ran).map(({ startedAt }) => startedAt);
  if (starts.length > 0)
    gauge(
      'sextant_last_run_timestamp_seconds',
      'Start of the oldest run behind this probe, in unixtime: what uses up data runs less often',
      Math.min(...starts) / 1000,
    );
  gauge('sextant_probe_judged', 'Whether the suite could judge', Number(outcome.success !== undefined));
  addGauge(
    registry,
    { name: 'sextant_verdict', help: 'The verdict on the module: 1 for the current one', labels: ['verdict'] },
    (metric) => {
      for (const verdict of Object.keys(verdicts) as Verdict[])
        metric.set({ verdict }, Number(verdict === outcome.verdict));
    },
  );
  addOperations(registry, exchanges);
  return { type: registry.contentType, text: await registry.metrics() };
}

function addOperations(registry: Registry, exchanges: readonly Exchange[]): void {
  const byOperation = Map.groupBy(exchanges, ({ operation }) => operation);
  if (byOperation.size === 0) return;
  addGauge(
    registry,
    {
      name: 'sextant_operation_duration_seconds',
      help: 'Duration of the longest call of an operation',
      labels: ['operation'],
    },
    (metric) => {
      for (const [operation, calls] of byOperation)
        metric.set({ operation }, Math.max(...calls.map(({ durationMs }) => durationMs)) / 1000);
    },
  );
  addGauge(
    registry,
    {
      name: 'sextant_operation_status_code',
      help: 'Status of the last response to an operation; 0 without one',
      labels: ['operation'],
    },
    (metric) => {
      for (const [operation, calls] of byOperation)
        metric.set({ operation }, calls.findLast(({ response }) => response)?.response?.status ?? 0);
    },
  );
}
