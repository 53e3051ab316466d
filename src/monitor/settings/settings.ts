import type { Route } from '../../client/index.ts';
import type { HostPort } from '../../runner/index.ts';
import type { Send } from '../alerting/channel.ts';
import type { Routes } from '../alerting/routes.ts';
import type { NotificationPolicy } from '../status/due-notice.ts';
import type { FlipRule } from '../status/status.ts';

/** The monitor's settings, checked. */
export interface Settings {
  readonly everyMs: number;
  readonly data: string;
  readonly listen: string;
  readonly port: number;
  readonly heapMb: number;
  /** Public address, with a trailing slash; absent: where it listens. */
  readonly pageUrl?: string;
  /** What to do in an incident; absent: the incident's own page says. */
  readonly runbookUrl?: string;
  readonly isPublic: boolean;
  readonly token?: string;
  readonly confirmAfterMs: number;
  readonly rule: FlipRule & NotificationPolicy;
  /** Where this monitor runs, as a label of its metrics. */
  readonly location?: string;
  /** Service-level objective, 0 to 1. */
  readonly slo: number;
  /** How long raw runs are kept. */
  readonly keepRunsMs: number;
  readonly connectivityProbe?: HostPort;
  readonly heartbeatUrl?: string;
  /** By a proxy, to the channels and the dead man's switch. */
  readonly route?: Route;
  readonly channels: ReadonlyMap<string, Send>;
  readonly routes?: Routes;
}
