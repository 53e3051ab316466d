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
  /** The failure in one sentence, if a call failed: `Friends: unblock answers 500`. */
  readonly sentence?: string;
  readonly cause: Cause;
  /** The incident that it opened or joined, by the id of the flip that opened it. */
  readonly incident?: number;
}

/** One run: the first attempt, which is the service-level indicator, and the last, which confirmed or cleared a failure. */
export interface ProbeResult {
  readonly first: ScenarioResult;
  /** The last attempt of those that followed a failure. */
  readonly second?: ScenarioResult;
  /** After a failure: what fails in the same way at the same time. */
  readonly alike?: Alike;
}
