import type { Grade, Verdict } from '../../client/index.ts';
import type { AreaId } from '../../spec/index.ts';
import type { Change } from './status.ts';

/** A scenario of an environment. */
export interface ScenarioRef {
  readonly environment: string;
  readonly title: string;
}

/** The common cause of failures: one base address, or the whole host if its name, port or TLS is the cause. */
export interface Cause {
  readonly kind: 'address' | 'host';
  /** The base address, or the host's origin. */
  readonly address: string;
}

/** A change of a scenario's status: the one record behind alerts, incidents and uptime. */
export interface Flip extends Change {
  readonly id: number;
  readonly scenario: ScenarioRef;
  readonly area: AreaId | 'all';
  /** When it was decided; epoch, in ms. */
  readonly at: number;
  readonly verdict: Verdict;
  readonly grade?: Grade;
  readonly reason?: string;
  readonly curl?: string;
  readonly cause: Cause;
}
