import type { Phases, Verdict } from '../../client/index.ts';
import { phaseSums } from '../failure-row.ts';
import type { ProbeResult } from '../probe/run-probe.ts';
import type { RunRecorder } from '../run-recorder.ts';
import type { SelfHealth } from '../self-health.ts';
import { indicatorOf } from '../status/evidence.ts';
import type { ProbeTarget } from '../targets.ts';

/** What the metrics of one scenario are made of. */
export interface Observations {
  readonly labels: { readonly environment: string; readonly area: string; readonly scenario: string };
  /** Runs by the verdict of their first attempt. */
  readonly runs: Map<Verdict, number>;
  /** Whether the first attempt of the last judged run held. */
  success?: boolean;
  durationMs: number;
  /** 0 when nothing was answered. */
  status: number;
  phases: Phases;
  /** When the first of the certificates ends; epoch, in ms. */
  certificateEnds?: number;
}

/** The metrics page in the text format of Prometheus. */
export interface MetricsText {
  readonly type: string;
  readonly text: string;
}

/** Keeps what the metrics are made of; their library is loaded when they are first asked for. */
export class Metrics {
  readonly #observed = new Map<ProbeTarget, Observations>();
  readonly #recorder: RunRecorder;
  readonly #health: () => SelfHealth;
  #exposition: Promise<() => Promise<MetricsText>> | undefined;

  constructor(recorder: RunRecorder, health: () => SelfHealth) {
    this.#recorder = recorder;
    this.#health = health;
  }

  async text(): Promise<MetricsText> {
    this.#exposition ??= import('./exposition.ts').then(({ exposition }) =>
      exposition({
        observations: () => this.#observed.values(),
        scenarios: () => this.#recorder.scenarios,
        health: this.#health,
      }),
    );
    return (await this.#exposition)();
  }

  observed(target: ProbeTarget, { first }: ProbeResult): void {
    const known = this.#observed.get(target) ?? unobserved(target);
    this.#observed.set(target, known);
    known.runs.set(first.verdict, (known.runs.get(first.verdict) ?? 0) + 1);
    const { status = 0, phases = {} } = phaseSums(first.exchanges);
    Object.assign(known, { durationMs: first.durationMs, status, phases });
    const indicator = indicatorOf(first);
    if (indicator) known.success = indicator === 'good';
    const ends = first.exchanges.flatMap(({ certificateValidTo }) => certificateValidTo ?? []);
    if (ends.length > 0) known.certificateEnds = Math.min(...ends);
  }
}

function unobserved({ environment, area, scenario }: ProbeTarget): Observations {
  const labels = { environment: environment.name, area, scenario: scenario.title };
  return { labels, runs: new Map(), durationMs: 0, status: 0, phases: {} };
}
