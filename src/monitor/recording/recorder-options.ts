import type { Environment } from '../../config/index.ts';
import type { Routes, TagsOf } from '../alerting/routes.ts';
import type { NotificationPolicy } from '../status/due-notice.ts';
import type { FlipRule } from '../status/status.ts';

export interface RecorderOptions {
  readonly file: string;
  readonly environments: readonly Environment[];
  readonly rule: FlipRule & NotificationPolicy;
  /** Failures with one cause are noticed within an interval and this, in ms. */
  readonly confirmAfterMs: number;
  /** Names of the channels to write notices for. */
  readonly channels: readonly string[];
  /** Which failures a channel is to hear of, and when. */
  readonly routes: Routes;
  readonly tagsOf: TagsOf;
  readonly pageUrl: () => string;
  readonly runbookUrl?: string | undefined;
}
