import type { Phases, Verdict } from '../../client/index.ts';
import type { Environment } from '../../config/index.ts';
import type { KnownScenario } from '../history/scenarios.ts';
import type { Incident } from '../status/incident.ts';
import type { SelfHealth } from '../status/self-health.ts';

/** The observations behind the metrics of one scenario. */
export interface Observations {
  readonly labels: { readonly environment: string; readonly area: string; readonly scenario: string };
  /** Runs by the verdict of their first attempt. */
  readonly runs: Map<Verdict, number>;
  /** Whether the first attempt of the last judged run passed. */
  success?: boolean;
  durationMs: number;
  readonly durations: DurationHistogram;
  /** Start of the last run; epoch, in ms. */
  startedAt: number;
  /** 0 without a response. */
  status: number;
  phases: Phases;
  /** Earliest certificate expiry; epoch, in ms. */
  certificateEnds?: number;
}

/** The sources of all metrics. */
export interface Exposed {
  readonly observations: () => Iterable<Observations>;
  readonly scenarios: () => readonly KnownScenario[];
  readonly openIncidents: () => readonly Incident[];
  /** Names of the monitored environments. */
  readonly environments: readonly string[];
  /** Where this monitor runs, as a label of everything; absent: no label. */
  readonly location?: string;
  readonly health: () => SelfHealth;
  /** The environments that were observed. */
  readonly watched: () => Iterable<Environment>;
}

/** The labels of metrics about a scenario. */
export const labelNames = ['environment', 'area', 'scenario'] as const;

/** Upper bounds of the buckets, in seconds: from a fast call to a scenario of timeouts. */
const durationBounds = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30] as const;

/** Durations as Prometheus counts them. The metrics library is loaded with the first scrape, and must count what was before. */
export class DurationHistogram {
  /** Runs by the first bucket that holds them; the last is above every bound. */
  readonly #counts = new Uint32Array(durationBounds.length + 1);
  #sum = 0;

  observe(seconds: number): void {
    const found = durationBounds.findIndex((bound) => seconds <= bound);
    const bucket = found < 0 ? durationBounds.length : found;
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1;
    this.#sum += seconds;
  }

  /** Cumulative counts by upper bound, and the sum in seconds. */
  get state(): { readonly buckets: readonly (readonly [le: string, count: number])[]; readonly sum: number } {
    let total = 0;
    const buckets = [...this.#counts].map((count, index) => {
      total += count;
      return [String(durationBounds[index] ?? '+Inf'), total] as const;
    });
    return { buckets, sum: this.#sum };
  }
}
