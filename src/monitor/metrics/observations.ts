import type { Phases, Verdict } from '../../client/index.ts';
import type { Monitor } from '../monitor.ts';
import type { ProbeTarget } from '../probe/targets.ts';

export type Exposed = Pick<Monitor, 'environments' | 'health' | 'recorder' | 'settings'>;

/** Upper bounds of the buckets, in seconds: from a fast call to a scenario of timeouts. */
const durationBounds = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, Number.POSITIVE_INFINITY];

export class Observations {
  readonly target: ProbeTarget;
  readonly labels: { readonly environment: string; readonly area: string; readonly scenario: string };
  readonly runs = new Map<Verdict, number>();
  /** Whether the first attempt of the last judged run passed. */
  success?: boolean;
  durationMs = 0;
  /** How many runs took no longer than so many seconds. The metrics library is loaded with the first scrape, and must count what was before. */
  readonly durations = new Map(durationBounds.map((bound) => [bound, 0]));
  durationSum = 0;
  /** Start of the last run; epoch, in ms. */
  startedAt = 0;
  /** 0 without a response. */
  status = 0;
  phases: Phases = {};
  /** Earliest certificate expiry; epoch, in ms. */
  certificateEnds?: number;

  constructor(target: ProbeTarget) {
    this.target = target;
    this.labels = { environment: target.environment.name, area: target.area, scenario: target.scenario.title };
  }

  took(seconds: number): void {
    for (const [bound, count] of this.durations) if (seconds <= bound) this.durations.set(bound, count + 1);
    this.durationSum += seconds;
  }
}
