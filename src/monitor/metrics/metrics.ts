import type { Environment } from '../../environment/index.ts';
import { phaseNames } from '../../http/index.ts';
import { phaseSums } from '../../run/index.ts';
import {
  blackboxPhases,
  buildInfo,
  credentialRow,
  type Exemplar,
  gauge,
  type Metric,
  metricsPage,
  phasesHelp,
  processMetrics,
} from '../../server/prometheus.ts';
import { verdicts } from '../../verdict/index.ts';
import type { ProbeTarget } from '../probe/targets.ts';
import type { RunRecorder } from '../recording/run-recorder.ts';
import type { Settings } from '../settings/load.ts';
import type { ProbeResult } from '../status/flip.ts';
import { indicatorOf, statuses, statusOf } from '../status/status.ts';

/** The parts of a monitor from which the metrics are computed. */
interface Exposed {
  readonly environments: readonly Environment[];
  readonly recorder: Pick<RunRecorder, 'scenarios' | 'incidents'>;
  readonly settings: Pick<Settings, 'location'>;
  health(): { readonly isWell: boolean; readonly outbox: { readonly waiting: number } };
}

/** The metrics of runs: their type and help. */
const runMetrics = {
  probe_success: ['gauge', 'Whether the first attempt of the last judged run passed'],
  probe_duration_seconds: ['gauge', 'Duration of the first attempt of the last run'],
  probe_http_status_code: ['gauge', 'Status of the last HTTP response of the last run'],
  probe_http_duration_seconds: ['gauge', phasesHelp('the last run')],
  probe_ssl_earliest_cert_expiry: ['gauge', 'Earliest certificate expiry, in unixtime'],
  sextant_last_run_timestamp_seconds: ['gauge', 'Start of the last run, in unixtime'],
  sextant_runs_total: ['counter', 'Number of runs by verdict of the first attempt'],
  sextant_probe_duration_seconds: ['histogram', 'Duration of first attempts'],
} as const satisfies Record<string, readonly [type: Metric['type'], help: string]>;

/** Upper bounds of the buckets, in seconds: from a fast call to a scenario whose calls time out. */
const durationBounds = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, Number.POSITIVE_INFINITY];

/**
 * The metrics of a monitor. A metric that blackbox_exporter has, too, has the same name here. The number of series grows only with the
 * number of monitored scenarios.
 */
export class Metrics {
  /**
   * For each scenario, the values of its metrics since the monitor started. A key consists of the metric's name, suffix and further label,
   * e.g. `… _bucket le 0.05`.
   */
  readonly #values = new Map<ProbeTarget, Map<string, number>>();
  /** For each scenario and bucket, the last run that has a trace. The keys are the same as in `#values`. */
  readonly #exemplars = new Map<ProbeTarget, Map<string, Exemplar>>();
  readonly #monitor: Exposed;

  constructor(monitor: Exposed) {
    this.#monitor = monitor;
  }

  /** The page of metrics. `accept` is the request's Accept header, which can ask for OpenMetrics. */
  page(accept?: string) {
    const { location } = this.#monitor.settings;
    const environments = new Set([...this.#values.keys()].map(({ environment }) => environment));
    const metrics = [
      ...this.#ofRuns(),
      ...ofStates(this.#monitor),
      credentialRow(environments),
      ...ofMonitor(this.#monitor),
    ];
    return metricsPage(metrics, location ? { location } : {}, accept);
  }

  observed(target: ProbeTarget, { first }: ProbeResult): void {
    const values = this.#values.get(target) ?? new Map<string, number>();
    this.#values.set(target, values);
    const set = (name: keyof typeof runMetrics, value: number, detail = '') => values.set(`${name} ${detail}`, value);
    const add = (name: keyof typeof runMetrics, value: number, detail: string) =>
      set(name, (values.get(`${name} ${detail}`) ?? 0) + value, detail);
    const { status = 0, phases = {} } = phaseSums(first.exchanges);
    const { name: environment } = target.environment;
    const known = this.#monitor.recorder.scenarios.find({ environment, title: target.scenario.title });
    const indicator = indicatorOf(first, known?.standing);
    if (indicator) set('probe_success', Number(indicator === 'good'));
    const seconds = first.durationMs / 1000;
    set('probe_duration_seconds', seconds);
    set('probe_http_status_code', status);
    for (const name of phaseNames)
      set('probe_http_duration_seconds', (phases[name] ?? 0) / 1000, ` phase ${blackboxPhases[name]}`);
    const ends = first.exchanges.flatMap(({ certificateValidTo }) => certificateValidTo ?? []);
    if (ends.length > 0) set('probe_ssl_earliest_cert_expiry', Math.min(...ends) / 1000);
    set('sextant_last_run_timestamp_seconds', first.startedAt / 1000);
    add('sextant_runs_total', 1, ` verdict ${first.verdict}`);
    // A scenario that didn't run has no duration, so don't add it to the histogram.
    const { ran } = verdicts[first.verdict];
    for (const bound of durationBounds)
      add('sextant_probe_duration_seconds', Number(ran && seconds <= bound), bucketOf(bound));
    if (first.trace && ran) {
      const bucket = bucketOf(durationBounds.find((bound) => seconds <= bound) ?? Number.POSITIVE_INFINITY);
      const exemplars = this.#exemplars.get(target) ?? new Map<string, Exemplar>();
      const exemplar = { traceId: first.trace.id, value: seconds, at: first.startedAt / 1000 };
      this.#exemplars.set(target, exemplars.set(`sextant_probe_duration_seconds ${bucket}`, exemplar));
    }
    add('sextant_probe_duration_seconds', ran ? seconds : 0, '_sum');
    add('sextant_probe_duration_seconds', Number(ran), '_count');
  }

  #ofRuns(): Metric[] {
    const all = [...this.#values].flatMap(([target, values]) => {
      const { environment, area, scenario } = target;
      const exemplars = this.#exemplars.get(target);
      const usual = { environment: environment.name, area, scenario: scenario.title };
      return [...values].map(([key, value]) => {
        const [name, suffix = '', label, text = ''] = key.split(' ');
        return {
          name,
          series: [label ? { ...usual, [label]: text } : usual, value, suffix, exemplars?.get(key)] as const,
        };
      });
    });
    const byName = Map.groupBy(all, ({ name }) => name);
    return Object.entries(runMetrics).map(([name, [type, help]]) => {
      return { name, type, help, series: (byName.get(name) ?? []).map(({ series }) => series) };
    });
  }
}

function bucketOf(bound: number): string {
  return `_bucket le ${String(bound).replace('Infinity', '+Inf')}`;
}

function ofStates({ recorder, environments }: Exposed): Metric[] {
  const standings = recorder.scenarios.monitored.map(({ environment, area, title, standing }) => ({
    labels: { environment, area, scenario: title },
    status: statusOf(standing),
  }));
  const open = recorder.incidents.open.flatMap(({ open: hits }) => [
    ...new Set(hits.map((hit) => hit.scenario.environment)),
  ]);
  return [
    gauge(
      'sextant_scenario_state',
      'State of the scenario after confirmation and hysteresis: 1 for the current one',
      standings.flatMap(({ labels, status }) =>
        statuses.map((state) => [{ ...labels, state }, Number(status === state)] as const),
      ),
    ),
    gauge(
      'sextant_scenario_down',
      'Whether the scenario is down, after confirmation and hysteresis',
      standings.map(({ labels, status }) => [labels, Number(status === 'down')]),
    ),
    gauge(
      'sextant_incidents_open',
      'Open incidents; one that several environments share counts in each',
      environments.map(({ name }) => [{ environment: name }, open.filter((each) => each === name).length]),
    ),
  ];
}

function ofMonitor(monitor: Exposed): Metric[] {
  const { outbox, isWell } = monitor.health();
  return [
    buildInfo('monitor'),
    gauge('sextant_notices_waiting', 'Notices in the outbox that are still to be sent', outbox.waiting),
    gauge('sextant_healthy', 'Whether the monitor itself is healthy', Number(isWell)),
    ...processMetrics(),
  ];
}
