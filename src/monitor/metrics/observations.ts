import type { Phases, Verdict } from '../../client/index.ts';

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
