import type { Phases, Verdict } from '../../client/index.ts';
import type { DurationHistogram } from './duration-histogram.ts';

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

/** The metrics page in the text format of Prometheus. */
export interface MetricsText {
  readonly type: string;
  readonly text: string;
}
