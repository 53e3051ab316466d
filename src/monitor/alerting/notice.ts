import type { NoticeKind } from '../status/due-notice.ts';
import type { Cause, Flip } from '../status/flip.ts';

/** One scenario of an incident, as a notice shows it. */
interface NoticeScenario extends Pick<Flip, 'area' | 'verdict' | 'grade' | 'reason' | 'curl'> {
  /** Absent where all scenarios of the notice are of one environment. */
  readonly environment?: string;
  readonly title: string;
  /** ISO 8601. */
  readonly since: string;
  readonly isOpen: boolean;
  /** Of one that is not open any more: how it left the incident, e.g. `is back`. */
  readonly ending?: string;
}

/** An alert: the same for every channel, and the webhook's body unchanged. Times are ISO 8601. */
export interface Notice {
  /** Beside those of incidents: a credential is about to expire, and a test. */
  readonly kind: NoticeKind | 'expiring' | 'test';
  /** The same for all notices of one incident. */
  readonly incident: string;
  /** The one that failed first: the same in all notices of an incident. */
  readonly environment: string;
  /** Base addresses that don't respond, where that is what is wrong. */
  readonly addresses?: readonly string[];
  /** All that the notice is about, where there are several. */
  readonly environments?: readonly string[];
  readonly cause: Cause;
  readonly headline: string;
  readonly at: string;
  readonly since: string;
  readonly until?: string;
  readonly durationMs: number;
  /** At most 50, those that are still down first. */
  readonly scenarios: readonly NoticeScenario[];
  /** How many more there are; absent: none. */
  readonly furtherScenarios?: number;
  /** With "up": earlier notices of the incident that this channel gave up, where it got none of them. */
  readonly undelivered?: readonly Notice['kind'][];
  /** What to do: RUNBOOK_URL at the section for this kind of failure, or else the incident; absent in notices of earlier versions. */
  readonly runbook?: string;
  /** The incident on the monitor's page. */
  readonly link: string;
}
