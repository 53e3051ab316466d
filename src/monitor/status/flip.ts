import type { Cause, ScenarioResult } from '../../run/index.ts';
import type { AreaId } from '../../service/index.ts';
import type { Grade, Verdict } from '../../verdict/index.ts';
import type { Alike } from './cause.ts';
import type { Change } from './status.ts';

export interface ScenarioRef {
  readonly environment: string;
  readonly title: string;
}

export function scenarioKey({ environment, title }: ScenarioRef): string {
  return `${environment}\n${title}`;
}

/** A change of a scenario's status. Alerts, incidents and uptime are all derived from these changes. */
export interface Flip extends Change {
  readonly id: number;
  readonly scenario: ScenarioRef;
  readonly area: AreaId | 'all';
  /** When the monitor decided that the status had changed; epoch, in ms. */
  readonly at: number;
  readonly verdict: Verdict;
  readonly grade?: Grade;
  readonly reason?: string;
  readonly curl?: string;
  /** The failure in one sentence, if a call failed: `Friends: unblock answers 500`. */
  readonly sentence?: string;
  readonly cause: Cause;
  /** Id of the incident that this change of status opened or joined. It is the id of the change that opened the incident. */
  readonly incident?: number;
}

/**
 * One run of a scenario. Only its first attempt matters for the service-level indicator. The last attempt confirms or clears the failure
 * of the first.
 */
export interface ProbeResult {
  readonly first: ScenarioResult;
  /** Set if the first attempt failed: the later attempt that confirms or clears the failure. */
  readonly second?: ScenarioResult;
  /** After a failure: which areas fail in the same way at the same time. */
  readonly alike?: Alike;
}
