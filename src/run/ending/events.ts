import type { Exchange } from '../../http/index.ts';
import type { AreaId } from '../../service/index.ts';
import type { ScenarioResult } from './result.ts';

/** A scenario that a run begins with; of one title there may be several environments. */
export interface Begun {
  readonly environment: string;
  readonly title: string;
  readonly area: AreaId | 'all';
}

/**
 * Reports a run while it is under way, in either runner. A live line, the rows and counts of a check, and a prober's
 * answer consume the events. Under Playwright, whose workers are other processes, calls and notes are in the result and
 * in the run's log.
 */
export interface RunEvents<R = ScenarioResult> {
  started?(scenario: Begun): void;
  /** Every request of the run, also those of no scenario: random plans, and the undo of what was left behind. */
  exchanged?(environment: string, exchange: Exchange): void;
  /** It doesn't pass, and its clean-up has still to come. */
  broken?(environment: string, result: R): void;
  finished?(environment: string, result: R): void;
}
