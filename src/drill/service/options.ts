import type { Environment } from '../../config/index.ts';
import type { Scenario } from '../../runner/index.ts';
import type { WireFault } from '../wire/act.ts';

export interface ServiceDrillOptions {
  readonly environment: Environment;
  readonly scenarios: readonly Scenario[];
  readonly faults: readonly WireFault[];
  readonly seed: string;
  readonly signal?: AbortSignal;
  /** The scenario that caught a fault the last time, by the fault's name. */
  readonly lastBy?: ReadonlyMap<string, string | null>;
  readonly onOutcome?: (outcome: WireOutcome, requests: number) => void;
}

export interface WireOutcome {
  readonly name: string;
  readonly operation: string;
  readonly kind: string;
  /** caught: a scenario is red · unseen: none that could run here meets it · survived: those that met it are green. */
  readonly became: 'caught' | 'unseen' | 'survived';
  readonly by: string | null;
  /** Why it is caught, by the verdict; or why it isn't, with what would close the gap. */
  readonly reason: string | null;
  /** It is shown as slow, for which the gate's exit code stays 0. */
  readonly isYellow?: true;
}

export interface ServiceDrilled {
  readonly outcomes: readonly WireOutcome[];
  readonly requests: number;
  readonly durationMs: number;
}
