import type { CataloguedFault, Variant } from '../../reference-service/index.ts';
import type { Grade, Verdict } from '../client/index.ts';

/** A scenario that went red. */
export interface Red {
  readonly title: string;
  readonly verdict: Verdict;
  readonly grade?: Grade;
  readonly reason?: string;
}

/** What came of one change of the service. */
export interface DrillOutcome {
  /** Titles of every scenario that was run. */
  readonly ran: readonly string[];
  readonly red: readonly Red[];
  /** Titles of those that proved nothing: a refusal beside no acceptance. */
  readonly unproven: readonly string[];
  readonly durationMs: number;
}

export interface FaultOutcome extends DrillOutcome {
  readonly fault: CataloguedFault;
}

/** Whatever is red on a correct reading is a false alarm. */
export interface VariantOutcome extends DrillOutcome {
  readonly variant: Variant;
}

/** A drill from end to end. */
export interface Drilled {
  readonly faults: readonly FaultOutcome[];
  readonly variants: readonly VariantOutcome[];
  readonly durationMs: number;
}
