import type { Exchange, Grade, Verdict } from '../client/index.ts';
import type { AreaId, Effect } from '../spec/index.ts';

/** The result of one run of one scenario. */
export interface ScenarioResult {
  readonly title: string;
  readonly area: AreaId | 'all';
  readonly effect: Effect;
  /** Path of the spec file. */
  readonly file: string;
  readonly verdict: Verdict;
  /** The grade of the broken expectation; absent if none broke. */
  readonly grade?: Grade;
  /** The reason if it did not simply pass, in one line. */
  readonly reason?: string;
  /** The component other than the service that failed and prevented the run. */
  readonly fault?: 'provisioner';
  /** Problems that don't change the verdict: a certificate that expires soon, a failed clean-up. */
  readonly warnings?: readonly string[];
  /** Epoch, in ms. */
  readonly startedAt: number;
  readonly durationMs: number;
  /** A curl line that repeats the failing call. */
  readonly curl?: string;
  /** The call that broke an expectation. */
  readonly failing?: Exchange;
  readonly exchanges: readonly Exchange[];
}
