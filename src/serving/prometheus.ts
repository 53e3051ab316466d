import { Counter, Gauge, Registry } from 'prom-client';
import { type Phase, userAgent } from '../client/index.ts';
import { credentialEnds, type Environment } from '../config/index.ts';

type Labels = Readonly<Record<string, string>>;

/** A metric that is computed anew for each reading: a series that isn't among its values any more ends. */
export interface MetricRow {
  readonly name: string;
  readonly help: string;
  /** Names of labels; default: none. */
  readonly labels?: readonly string[];
  /** What only grows; default: a gauge. */
  readonly isCounter?: true;
  /** One number, or one for each set of labels; what is undefined has no series. */
  readonly values: () => number | undefined | Iterable<readonly [labels: Labels, value: number | undefined]>;
}

export interface MetricsText {
  readonly type: string;
  readonly text: string;
}

/** A registry of the rows, in their order. */
export function registryOf(rows: readonly MetricRow[]): Registry {
  const registry = new Registry();
  for (const { name, help, labels = [], isCounter, values } of rows) {
    const found = () => {
      const given = values();
      const all = typeof given === 'object' ? [...given] : [[{}, given] as const];
      return all.flatMap(([of, value]) => (value === undefined ? [] : [[of, value] as const]));
    };
    const settings = { name, help, labelNames: labels, registers: [registry] };
    if (isCounter)
      new Counter({
        ...settings,
        collect() {
          this.reset();
          for (const [of, value] of found()) this.inc(of, value);
        },
      });
    else
      new Gauge({
        ...settings,
        collect() {
          this.reset();
          for (const [of, value] of found()) this.set(of, value);
        },
      });
  }
  return registry;
}

export async function textOf(registry: Registry): Promise<MetricsText> {
  return { type: registry.contentType, text: await registry.metrics() };
}

/** Which program this is; `what` names it. */
export function buildInfo(what: string): MetricRow {
  return {
    name: 'sextant_build_info',
    help: `Version of the ${what} and of Node; always 1`,
    labels: ['version', 'node'],
    values: () => [[{ version: userAgent.split('/')[1] ?? '', node: process.versions.node }, 1]],
  };
}

/** When the credentials of environments expire. */
export function credentialRow(environments: () => Iterable<Environment>): MetricRow {
  return {
    name: 'sextant_credential_expiry_timestamp_seconds',
    help: 'Expiry of a credential, in unixtime, where it is known; renewed: whether it is issued anew before that',
    labels: ['environment', 'credential', 'renewed'],
    values: () =>
      [...environments()].flatMap((environment) =>
        credentialEnds(environment).map(({ key, endsAt, isRenewed }) => [
          { environment: environment.name, credential: key, renewed: String(isRenewed) },
          endsAt / 1000,
        ]),
      ),
  };
}

/** blackbox_exporter's names for the phases of an HTTP probe. */
export const blackboxPhases: Readonly<Record<Phase, string>> = {
  dns: 'resolve',
  connect: 'connect',
  tls: 'tls',
  processing: 'processing',
  transfer: 'transfer',
};
