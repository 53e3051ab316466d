import { Gauge, type Registry } from 'prom-client';
import type { Phase } from '../client/index.ts';

/** Adds a gauge to `registry` that is computed anew for each reading: a series that isn't set any more ends. */
export function addGauge(
  registry: Registry,
  { name, help, labels = [] }: { readonly name: string; readonly help: string; readonly labels?: readonly string[] },
  collect: (gauge: Gauge) => void,
): void {
  new Gauge({
    name,
    help,
    labelNames: labels,
    registers: [registry],
    collect() {
      this.reset();
      collect(this);
    },
  });
}

/** blackbox_exporter's names for the phases of an HTTP probe. */
export const blackboxPhases: Readonly<Record<Phase, string>> = {
  dns: 'resolve',
  connect: 'connect',
  tls: 'tls',
  processing: 'processing',
  transfer: 'transfer',
};
