import { Counter, collectDefaultMetrics, Registry } from 'prom-client';
import { userAgent } from '../client/index.ts';
import { addCredentialGauge } from '../serving/credential-gauge.ts';
import { addGauge } from '../serving/gauge.ts';
import type { Prober } from './prober.ts';

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
  addCredentialGauge(registry, () => store.names.flatMap((name) => store.usable(name) ?? []));
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
