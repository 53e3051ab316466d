import { verdicts } from '../../client/index.ts';
import { phaseSums } from '../../runner/index.ts';
import type { MetricsPage } from '../../serving/prometheus.ts';
import type { ProbeTarget } from '../probe/targets.ts';
import type { ProbeResult } from '../status/cause.ts';
import { indicatorOf } from '../status/run-health.ts';
import type { Exposed, Observations } from './exposition.ts';

/** With the metrics library. */
export const loadExposition = () => import('./exposition.ts');

/** Collects the observations behind the metrics; loads the metrics library on the first request. */
export class Metrics {
  readonly #observed = new Map<ProbeTarget, Observations>();
  readonly #exposed: Omit<Exposed, 'observations' | 'watched'>;
  #exposition: Promise<() => Promise<MetricsPage>> | undefined;

  constructor(exposed: Omit<Exposed, 'observations' | 'watched'>) {
    this.#exposed = exposed;
  }

  async page(): Promise<MetricsPage> {
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
    if (verdicts[first.verdict].ran) observe(known, first.durationMs / 1000);
    const indicator = indicatorOf(first);
    if (indicator) known.success = indicator === 'good';
    const ends = first.exchanges.flatMap(({ certificateValidTo }) => certificateValidTo ?? []);
    if (ends.length > 0) known.certificateEnds = Math.min(...ends);
  }
}

/** Upper bounds of the buckets, in seconds: from a fast call to a scenario of timeouts. */
const durationBounds = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, Number.POSITIVE_INFINITY];

function unobserved({ environment, area, scenario }: ProbeTarget): Observations {
  const labels = { environment: environment.name, area, scenario: scenario.title };
  return {
    labels,
    runs: new Map(),
    durationMs: 0,
    durations: new Map(durationBounds.map((bound) => [bound, 0])),
    durationSum: 0,
    startedAt: 0,
    status: 0,
    phases: {},
  };
}

/** The metrics library is loaded with the first scrape, and must count what was before. */
function observe(known: Observations, seconds: number): void {
  for (const [bound, count] of known.durations) if (seconds <= bound) known.durations.set(bound, count + 1);
  known.durationSum += seconds;
}
