import type { Exchange } from '../../http/index.ts';
import type { AreaId } from '../../service/index.ts';
import type { ScenarioResult } from './result.ts';

/** A scenario that begins. If a run has several environments, the same title begins once in each. */
export interface Begun {
  readonly environment: string;
  readonly title: string;
  readonly area: AreaId | 'all';
}

/**
 * Receives the progress of a run in either runner, for the live line, the output of `sextant check`, or a prober's response. Under
 * Playwright, only `started` and `finished` are called, because calls are made in other processes, the workers.
 */
export interface RunEvents<R = ScenarioResult> {
  started?(scenario: Begun): void;
  /** Called for every request of the run, also for requests that belong to no scenario, such as the undo of leftover changes. */
  exchanged?(environment: string, exchange: Exchange): void;
  /** Called before clean-up, when it is certain that a scenario won't pass. */
  broken?(environment: string, result: R): void;
  finished?(environment: string, result: R): void;
}
