import type { AreaId } from '../../spec/index.ts';
import type { ScenarioResult } from './result.ts';

/** A scenario that a run begins with; of one title there may be several environments. */
export interface Begun {
  readonly environment: string;
  readonly title: string;
  readonly area: AreaId | 'all';
}

/**
 * What a run tells while it goes on. Whoever shows or keeps it consumes these: a live line in either runner, the rows of a check, a prober's
 * answer. What is called and noted meanwhile each scenario's `Observer` hears.
 */
export interface RunEvents<R = ScenarioResult> {
  started?(scenario: Begun): void;
  /** It doesn't pass, and its clean-up has still to come. */
  broken?(environment: string, result: R): void;
  finished?(environment: string, result: R): void;
}
