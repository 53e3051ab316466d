import { type Phases, type Verdict, verdicts } from '../../client/index.ts';
import type { Environment } from '../../config/index.ts';
import { phaseSums } from '../../runner/index.ts';
import {
  buildInfo,
  counter,
  credentialRow,
  gauge,
  type Metric,
  metricsPage,
  phaseRow,
} from '../../serving/prometheus.ts';
import type { ProbeTarget } from '../probe/targets.ts';
import type { RunRecorder } from '../recording/run-recorder.ts';
import type { Settings } from '../settings/load.ts';
import type { ProbeResult } from '../status/flip.ts';
import { indicatorOf, statuses, statusOf } from '../status/status.ts';

/** The parts of a monitor that the metrics expose. */
interface Exposed {
  readonly environments: readonly Environment[];
  readonly recorder: Pick<RunRecorder, 'scenarios' | 'incidents'>;
  readonly settings: Pick<Settings, 'location'>;
  health(): { readonly isWell: boolean; readonly outbox: { readonly waiting: number } };
}

/** Upper bounds of the buckets, in seconds: from a fast call to a scenario of timeouts. */
const durationBounds = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, Number.POSITIVE_INFINITY];

/** Figures of a scenario's runs since the monitor started. */
interface Observed {
  readonly labels: { readonly environment: string; readonly area: string; readonly scenario: string };
  /** How many, by the verdict of the first attempt. */
  readonly runs: Map<Verdict, number>;
  /** How many took no longer than each bound, and the sum of their seconds. */
  readonly durations: number[];
  durationSum: number;
  /** Whether the first attempt of the last judged run passed. */
  success?: boolean;
  durationMs: number;
  /** Start of the last run; epoch, in ms. */
  startedAt: number;
  /** 0 without a response. */
  status: number;
  phases: Phases;
  /** Earliest certificate expiry; epoch, in ms. */
  certificateEnds?: number;
}

/** The metrics of a monitor, with blackbox_exporter's names where they exist; labels are bounded by the monitored scenarios. */
export class Metrics {
  readonly #observed = new Map<ProbeTarget, Observed>();
  readonly #monitor: Exposed;

  constructor(monitor: Exposed) {
    this.#monitor = monitor;
  }

  page() {
    const { location } = this.#monitor.settings;
    const all = [...this.#observed.values()];
    const environments = new Set([...this.#observed.keys()].map(({ environment }) => environment));
    const metrics = [
      ...ofRuns(all),
      ...ofStates(this.#monitor),
      credentialRow(environments),
      ...ofMonitor(this.#monitor),
    ];
    return metricsPage(metrics, location ? { location } : {});
  }

  observed(target: ProbeTarget, { first }: ProbeResult): void {
    const known = this.#observed.get(target) ?? unobserved(target);
    this.#observed.set(target, known);
    known.runs.set(first.verdict, (known.runs.get(first.verdict) ?? 0) + 1);
    const { status = 0, phases = {} } = phaseSums(first.exchanges);
    Object.assign(known, { durationMs: first.durationMs, startedAt: first.startedAt, status, phases });
    // A scenario that didn't run took no time.
    if (verdicts[first.verdict].ran) {
      const seconds = first.durationMs / 1000;
      for (const [index, bound] of durationBounds.entries())
        if (seconds <= bound) known.durations[index] = (known.durations[index] ?? 0) + 1;
      known.durationSum += seconds;
    }
    const indicator = indicatorOf(first);
    if (indicator) known.success = indicator === 'good';
    const ends = first.exchanges.flatMap(({ certificateValidTo }) => certificateValidTo ?? []);
    if (ends.length > 0) known.certificateEnds = Math.min(...ends);
  }
}

function unobserved({ environment, area, scenario }: ProbeTarget): Observed {
  const labels = { environment: environment.name, area, scenario: scenario.title };
  const durations = durationBounds.map(() => 0);
  return { labels, runs: new Map(), durations, durationSum: 0, durationMs: 0, startedAt: 0, status: 0, phases: {} };
}

function ofRuns(all: readonly Observed[]): Metric[] {
  const each = (name: string, help: string, value: (one: Observed) => number | undefined) =>
    gauge(
      name,
      help,
      all.map((one) => [one.labels, value(one)]),
    );
  return [
    each('probe_success', 'Whether the first attempt of the last judged run passed', ({ success }) =>
      success === undefined ? undefined : Number(success),
    ),
    each('probe_duration_seconds', 'Duration of the first attempt of the last run', (one) => one.durationMs / 1000),
    each('probe_http_status_code', 'Status of the last HTTP response of the last run', ({ status }) => status),
    each('probe_ssl_earliest_cert_expiry', 'Earliest certificate expiry, in unixtime', ({ certificateEnds: end }) =>
      end === undefined ? undefined : end / 1000,
    ),
    phaseRow(
      'the last run',
      all.map(({ labels, phases }) => [labels, phases]),
    ),
    counter(
      'sextant_runs_total',
      'Number of runs by verdict of the first attempt',
      all.flatMap(({ labels, runs }) => [...runs].map(([verdict, count]) => [{ ...labels, verdict }, count] as const)),
    ),
    each('sextant_last_run_timestamp_seconds', 'Start of the last run, in unixtime', (one) => one.startedAt / 1000),
    {
      name: 'sextant_probe_duration_seconds',
      help: 'Duration of first attempts',
      type: 'histogram',
      series: all.flatMap(({ labels, durations, durationSum }) => [
        ...durations.map((count, index) => {
          const le = String(durationBounds[index]).replace('Infinity', '+Inf');
          return [{ ...labels, le }, count, '_bucket'] as const;
        }),
        [labels, durationSum, '_sum'] as const,
        [labels, durations.at(-1), '_count'] as const,
      ]),
    },
  ];
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
  ];
}
