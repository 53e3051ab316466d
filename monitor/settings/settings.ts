import type { TellingRule } from '../judging/due.ts';
import type { FlipRule } from '../judging/status.ts';
import type { HostPort } from '../probing/connectivity.ts';
import type { Send } from '../telling/channel.ts';

/** The monitor's settings, checked. */
export interface Settings {
  readonly everyMs: number;
  readonly data: string;
  readonly listen: string;
  readonly port: number;
  /** As people reach it, with a trailing slash; absent: where it listens. */
  readonly pageUrl?: string;
  readonly isPublic: boolean;
  readonly token?: string;
  readonly confirmAfterMs: number;
  readonly rule: FlipRule & TellingRule;
  /** Service-level objective, 0 to 1. */
  readonly slo: number;
  readonly connectivityProbe?: HostPort;
  readonly heartbeatUrl?: string;
  readonly channels: ReadonlyMap<string, Send>;
}
