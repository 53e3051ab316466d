import type { CataloguedFault, Variant } from '../../reference-service/index.ts';
import type { Grade, Verdict } from '../client/index.ts';
import type { Symptom } from './symptom.ts';

/** A scenario that did not pass. */
export interface Red {
  readonly title: string;
  readonly verdict: Verdict;
  readonly grade?: Grade | undefined;
  readonly reason?: string | undefined;
  readonly symptom?: Symptom | undefined;
  /** The operation of its failing call. */
  readonly operation?: string | undefined;
}

/** The outcome of the scenarios on one service. */
export interface DrillOutcome {
  /** Titles of the scenarios that ran and proved something. */
  readonly ran: readonly string[];
  readonly red: readonly Red[];
  /** Titles of those that proved nothing: a refusal beside no acceptance. */
  readonly unproven: readonly string[];
  /** Titles of those that could not be played. */
  readonly skipped: readonly string[];
}

export interface FaultOutcome extends DrillOutcome {
  readonly fault: CataloguedFault;
}

/** Any failure on a valid variant is a false alarm. */
export interface VariantOutcome extends DrillOutcome {
  readonly variant: Variant;
}

/** A complete drill. */
export interface Drilled {
  readonly faults: readonly FaultOutcome[];
  readonly variants: readonly VariantOutcome[];
  readonly durationMs: number;
}
