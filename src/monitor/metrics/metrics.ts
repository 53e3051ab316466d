import { verdicts } from '../../client/index.ts';
import { phaseSums } from '../../runner/index.ts';
import type { MetricsPage } from '../../serving/prometheus.ts';
import type { ProbeTarget } from '../probe/targets.ts';
import type { ProbeResult } from '../status/flip.ts';
import { indicatorOf } from '../status/status.ts';
import { type Exposed, Observations } from './observations.ts';

export const loadExposition = () => import('./exposition.ts');

/** Collects the observations behind the metrics; loads the metrics library on the first request. */
export class Metrics {
  readonly #observed = new Map<ProbeTarget, Observations>();
  readonly #monitor: Exposed;
  #exposition: Promise<() => Promise<MetricsPage>> | undefined;

  constructor(monitor: Exposed) {
    this.#monitor = monitor;
  }

  async page(): Promise<MetricsPage> {
    this.#exposition ??= loadExposition().then(({ exposition }) =>
      exposition(this.#monitor, () => [...this.#observed.values()]),
    );
    return (await this.#exposition)();
  }

  observed(target: ProbeTarget, { first }: ProbeResult): void {
    const known = this.#observed.get(target) ?? new Observations(target);
    this.#observed.set(target, known);
    known.runs.set(first.verdict, (known.runs.get(first.verdict) ?? 0) + 1);
    const { status = 0, phases = {} } = phaseSums(first.exchanges);
    Object.assign(known, { durationMs: first.durationMs, startedAt: first.startedAt, status, phases });
    // A scenario that didn't run took no time.
    if (verdicts[first.verdict].ran) known.took(first.durationMs / 1000);
    const indicator = indicatorOf(first);
    if (indicator) known.success = indicator === 'good';
    const ends = first.exchanges.flatMap(({ certificateValidTo }) => certificateValidTo ?? []);
    if (ends.length > 0) known.certificateEnds = Math.min(...ends);
  }
}
