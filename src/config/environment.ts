import type { Caller, Secret, ServiceUnderTest } from '../client/index.ts';
import type { KnownReading } from './known-readings.ts';
import type { OwnSettings } from './own-settings.ts';

/** One deployment of the service, loaded and checked: whom to call, as whom, with what, and what is allowed. */
export interface Environment extends ServiceUnderTest, OwnSettings {
  readonly caller: Caller;
  readonly friend: { readonly userId?: string; readonly accessToken?: Secret };
  /** Every address is this machine's own. */
  readonly isLoopback: boolean;
  readonly secrets: readonly Secret[];
  /** What is known of the questions that the specification leaves open; absent: nothing. */
  readonly readings?: readonly KnownReading[];
}
