import { verdicts } from '../../client/index.ts';
import { phaseSums } from '../../runner/index.ts';
import type { MetricsText } from '../../serving/prometheus.ts';
import type { ProbeTarget } from '../probe/targets.ts';
import type { ProbeResult } from '../status/cause.ts';
import { indicatorOf } from '../status/run-health.ts';
import { DurationHistogram, type Exposed, type Observations } from './observations.ts';

/** With the metrics library. */
export const loadExposition = () => import('./exposition.ts');

/** Collects the observations behind the metrics; loads the metrics library on the first request. */
export class Metrics {
  readonly #observed = new Map<ProbeTarget, Observations>();
  readonly #exposed: Omit<Exposed, 'observations' | 'watched'>;
  #exposition: Promise<() => Promise<MetricsText>> | undefined;

  constructor(exposed: Omit<Exposed, 'observations' | 'watched'>) {
    this.#exposed = exposed;
  }

  async text(): Promise<MetricsText> {
    this.#exposition ??= loadExposition().then(({ exposition }) =>
      exposition({
        ...this.#exposed,
        observations: () => this.#observed.values(),
        watched: () => new Set([...this.#observed.keys()].map(({ environment }) => environment)),
      }),
    );
    return (await this.#exposition)();
  }

  observed(target: ProbeTarget, { first }: ProbeResult): void {
    const known = this.#observed.get(target) ?? unobserved(target);
    this.#observed.set(target, known);
    known.runs.set(first.verdict, (known.runs.get(first.verdict) ?? 0) + 1);
    const { status = 0, phases = {} } = phaseSums(first.exchanges);
    Object.assign(known, { durationMs: first.durationMs, startedAt: first.startedAt, status, phases });
    // A scenario that didn't run took no time.
    if (verdicts[first.verdict].ran) known.durations.observe(first.durationMs / 1000);
    const indicator = indicatorOf(first);
    if (indicator) known.success = indicator === 'good';
    const ends = first.exchanges.flatMap(({ certificateValidTo }) => certificateValidTo ?? []);
    if (ends.length > 0) known.certificateEnds = Math.min(...ends);
  }
}

function unobserved({ environment, area, scenario }: ProbeTarget): Observations {
  const labels = { environment: environment.name, area, scenario: scenario.title };
  return {
    labels,
    runs: new Map(),
    durationMs: 0,
    durations: new DurationHistogram(),
    startedAt: 0,
    status: 0,
    phases: {},
  };
}
