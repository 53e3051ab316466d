import type { Caller, Credential, Secret, ServiceUnderTest } from '../client/index.ts';
import type { OwnSettings } from './keys/own-settings.ts';
import type { KnownReading } from './learned/known-readings.ts';

/** One deployment of the service, loaded and checked: addresses, users, test data and allowed effects. */
export interface Environment extends ServiceUnderTest, OwnSettings {
  readonly caller: Caller;
  readonly friend: { readonly userId?: string; readonly accessToken?: Credential };
  /** Whether every address is loopback. */
  readonly isLoopback: boolean;
  readonly secrets: readonly Secret[];
  /** Known readings of what the specification leaves open; absent: none. */
  readonly readings?: readonly KnownReading[];
}
