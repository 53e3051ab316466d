import { Counter, collectDefaultMetrics, Gauge, Registry } from '@prometheus-io/client';
import { type Phase, type Phases, phaseNames, userAgent } from '../client/index.ts';
import { credentialEnds, type Environment } from '../config/index.ts';
import type { PageResponse } from './http-server.ts';

type Labels = Readonly<Record<string, string>>;

/** One number, or one for each set of labels; what is undefined has no series. */
type Values = () => number | undefined | Iterable<readonly [labels: Labels, value: number | undefined]>;

export type MetricRow = Counter | Gauge;

/** Every label that there is: what is asked for can't add another one. */
const labelNames = [
  ...['environment', 'area', 'scenario', 'operation', 'verdict', 'state', 'outcome', 'phase'],
  ...['credential', 'renewed', 'version', 'node'],
];

/** A metric that is computed anew for each reading: a series that isn't among its values any more ends. */
function metric(Kind: typeof Counter | typeof Gauge, name: string, help: string, values: Values): MetricRow {
  return new Kind({
    name,
    help,
    labelNames,
    registers: [],
    collect() {
      this.reset();
      const given = values();
      for (const [of, value] of typeof given === 'object' ? given : [[{}, given] as const])
        if (value !== undefined) this.inc(of, value);
    },
  });
}

export function gauge(name: string, help: string, values: Values): MetricRow {
  return metric(Gauge, name, help, values);
}

/** What only grows. */
export function counter(name: string, help: string, values: Values): MetricRow {
  return metric(Counter, name, help, values);
}

export interface MetricsPage extends PageResponse {
  readonly body: string;
}

export function registryOf(rows: readonly MetricRow[]): Registry {
  const registry = new Registry();
  for (const row of rows) registry.registerMetric(row);
  return registry;
}

/** Default metrics of the library whose names break Prometheus' rules: `promtool check metrics` refuses them. */
const misnamed = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
  'nodejs_eventloop_utilization_histogram',
  'nodejs_eventloop_utilization_summary',
];

/** Memory, CPU and event loop of this process. */
export function addProcessMetrics(registry: Registry): void {
  // The utilization is removed below, so the timer that measures it need not fire.
  collectDefaultMetrics({ register: registry, eventLoopUtilizationTimeout: 2 ** 31 - 1 });
  for (const name of misnamed) registry.removeSingleMetric(name);
}

export async function pageOf(registry: Registry): Promise<MetricsPage> {
  return { headers: { 'content-type': registry.contentType }, body: await registry.metrics() };
}

/** Which program this is; `what` names it. */
export function buildInfo(what: string): MetricRow {
  const labels = { version: userAgent.split('/')[1] ?? '', node: process.versions.node };
  const help = `Version of the ${what} and of Node; always 1`;
  return gauge('sextant_build_info', help, () => [[labels, 1]]);
}

export function credentialRow(environments: () => Iterable<Environment>): MetricRow {
  return gauge(
    'sextant_credential_expiry_timestamp_seconds',
    'Expiry of a credential, in unixtime, where it is known; renewed: whether it is issued anew before that',
    () =>
      [...environments()].flatMap((environment) =>
        credentialEnds(environment).map(({ key, endsAt, isRenewed }) => [
          { environment: environment.name, credential: key, renewed: String(isRenewed) },
          endsAt / 1000,
        ]),
      ),
  );
}

/** blackbox_exporter's names for the phases of an HTTP probe. */
const blackboxPhases: Readonly<Record<Phase, string>> = {
  dns: 'resolve',
  connect: 'connect',
  tls: 'tls',
  processing: 'processing',
  transfer: 'transfer',
};

export function phaseRow(what: string, phasesOf: () => Iterable<readonly [labels: Labels, phases: Phases]>): MetricRow {
  return gauge(
    'probe_http_duration_seconds',
    `Time spent in each phase of HTTP requests, summed over the calls of ${what}`,
    () =>
      [...phasesOf()].flatMap(([of, phases]) =>
        phaseNames.map((name) => [{ ...of, phase: blackboxPhases[name] }, (phases[name] ?? 0) / 1000] as const),
      ),
  );
}
