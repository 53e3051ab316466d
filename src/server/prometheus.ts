import { credentialEnds, type Environment } from '../environment/index.ts';
import { type Phase, type Phases, phaseNames, userAgent } from '../http/index.ts';
import { type PageResponse, typed } from './http-server.ts';

export type Labels = Readonly<Record<string, string>>;

/** One run as an example for a bucket of a histogram. OpenMetrics links the bucket to the trace of this run. */
export interface Exemplar {
  readonly traceId: string;
  readonly value: number;
  /** Time of the run, in s since the epoch. */
  readonly at: number;
}

/**
 * One value of a metric, with its labels. If the value is `undefined`, the page leaves it out. `suffix` is added to the metric's name, e.g.
 * `_bucket` for a histogram.
 */
type Series = readonly [labels: Labels, value: number | undefined, suffix?: string, exemplar?: Exemplar | undefined];

export interface Metric {
  readonly name: string;
  readonly help: string;
  readonly type: 'gauge' | 'counter' | 'histogram';
  readonly series: Iterable<Series>;
}

/** A gauge with one value, or with one for each set of labels. */
export function gauge(name: string, help: string, values: number | Iterable<Series>): Metric {
  return { name, help, type: 'gauge', series: typeof values === 'number' ? [[{}, values]] : values };
}

/** A counter: its values only grow. */
export function counter(name: string, help: string, values: number | Iterable<Series>): Metric {
  return { ...gauge(name, help, values), type: 'counter' };
}

/**
 * Metrics in Prometheus’ text format, version 0.0.4. If the header `accept` asks for OpenMetrics, the page has that format, with exemplars.
 * `common` are labels that every series gets.
 */
export function metricsPage(
  metrics: readonly Metric[],
  common: Labels = {},
  accept = '',
): PageResponse & { readonly body: string } {
  const isOpen = accept.includes('application/openmetrics-text');
  const texts = metrics.map(({ name, help, type, series }) => {
    const lines = [...series].flatMap(([labels, value, suffix = '', exemplar]) =>
      value === undefined
        ? []
        : `${name}${suffix}${labelText({ ...labels, ...common })} ${value}${isOpen ? exemplarText(exemplar) : ''}\n`,
    );
    // In OpenMetrics, the name of a counter has no `_total`; the names of the counter's samples have it.
    const family = isOpen && type === 'counter' ? name.replace(/_total$/, '') : name;
    return `# HELP ${family} ${help}\n# TYPE ${family} ${type}\n${lines.join('')}`;
  });
  const body = texts.join('') + (isOpen ? '# EOF\n' : '');
  const format = isOpen ? 'application/openmetrics-text; version=1.0.0' : 'text/plain; version=0.0.4';
  return { ...typed(`${format}; charset=utf-8`, body), body };
}

function exemplarText(exemplar: Exemplar | undefined): string {
  return exemplar ? ` # {trace_id="${exemplar.traceId}"} ${exemplar.value} ${exemplar.at}` : '';
}

function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(
    ([name, value]) => `${name}="${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`,
  );
  return pairs.length > 0 ? `{${pairs.join(',')}}` : '';
}

/** Memory, CPU and start of this process, and the heap of Node, under the names that Prometheus’ client libraries use. */
export function processMetrics(): Metric[] {
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed, heapTotal, external } = process.memoryUsage();
  return [
    gauge('process_resident_memory_bytes', 'Resident memory size in bytes', rss),
    counter('process_cpu_seconds_total', 'CPU time of user and system in seconds', (user + system) / 1e6),
    gauge('process_start_time_seconds', 'Start of the process, in unixtime', Date.now() / 1000 - process.uptime()),
    gauge('nodejs_heap_size_used_bytes', 'Heap of Node that is used, in bytes', heapUsed),
    gauge('nodejs_heap_size_total_bytes', 'Heap of Node, in bytes', heapTotal),
    gauge('nodejs_external_memory_bytes', 'Memory of Node outside of its heap, in bytes', external),
  ];
}

/** Metric with the versions of Sextant and Node, for the program `what`. */
export function buildInfo(what: string): Metric {
  const labels = { version: userAgent.split('/')[1] ?? '', node: process.versions.node };
  return gauge('sextant_build_info', `Version of the ${what} and of Node; always 1`, [[labels, 1]]);
}

export function credentialRow(environments: Iterable<Environment>): Metric {
  const help =
    'Expiry of a credential, in unixtime, where it is known; renewed: whether a new one is issued before that';
  const series = [...environments].flatMap((environment) =>
    credentialEnds(environment).map(({ key, endsAt, isRenewed }): Series => {
      const labels = { environment: environment.name, credential: key, renewed: String(isRenewed) };
      return [labels, endsAt / 1000];
    }),
  );
  return gauge('sextant_credential_expiry_timestamp_seconds', help, series);
}

/** blackbox_exporter's names for the phases of an HTTP probe. */
export const blackboxPhases: Readonly<Record<Phase, string>> = {
  dns: 'resolve',
  connect: 'connect',
  tls: 'tls',
  processing: 'processing',
  transfer: 'transfer',
};

export function phasesHelp(what: string): string {
  return `Time spent in each phase of HTTP requests, summed over the calls of ${what}`;
}

export function phaseRow(what: string, phases: Phases): Metric {
  const series = phaseNames.map((name): Series => [{ phase: blackboxPhases[name] }, (phases[name] ?? 0) / 1000]);
  return gauge('probe_http_duration_seconds', phasesHelp(what), series);
}
