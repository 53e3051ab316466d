import type { Environment } from '../../config/index.ts';
import type { Scenario, ScenarioResult } from '../../runner/index.ts';
import type { WireFault } from '../wire/act.ts';
import type { WireOutcome } from './outcome.ts';

/** Whether the monitor calls somebody, and knows of the repair, from the verdicts of a healthy run, two looks and the repaired one. */
export type MonitorDecision = (looks: readonly ScenarioResult[]) => {
  readonly called: boolean;
  readonly recovered: boolean;
};

export interface ServiceDrillOptions {
  readonly environment: Environment;
  readonly scenarios: readonly Scenario[];
  readonly faults: readonly WireFault[];
  readonly seed: string;
  /** Requests with a lasting effect that may be sent; others of the kind are answered by the drill alone. */
  readonly maxIrreversible?: number;
  readonly signal?: AbortSignal;
  readonly monitor?: MonitorDecision;
  /** The scenario that caught a fault the last time, by the fault's name. */
  readonly lastBy?: ReadonlyMap<string, string | null>;
  /** Called with the results of the healthy run. */
  readonly onHealthy?: (results: readonly ScenarioResult[]) => void;
  readonly onOutcome?: (outcome: WireOutcome, requests: number) => void;
}

export interface ServiceDrilled {
  readonly outcomes: readonly WireOutcome[];
  /** To the service, undoing included. */
  readonly requests: number;
  /** Those among them whose effects last. */
  readonly irreversible: number;
  readonly durationMs: number;
}
