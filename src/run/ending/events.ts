import type { Exchange } from '../../http/index.ts';
import type { AreaId } from '../../service/index.ts';
import type { ScenarioResult } from './result.ts';

/** A scenario that begins. A run may have the same title in several environments. */
export interface Begun {
  readonly environment: string;
  readonly title: string;
  readonly area: AreaId | 'all';
}

/**
 * Reports the progress of a run, in either runner, to a live line, to the rows and counts of a check, and to a prober's response. Under Playwright,
 * whose workers are other processes, calls and notes don't arrive here: they are in the result and in the run's log.
 */
export interface RunEvents<R = ScenarioResult> {
  started?(scenario: Begun): void;
  /** Called for every request of the run, also outside of scenarios: in random plans, and to undo leftover changes. */
  exchanged?(environment: string, exchange: Exchange): void;
  /** Called when a scenario can't pass any more, before its clean-up. */
  broken?(environment: string, result: R): void;
  finished?(environment: string, result: R): void;
}
