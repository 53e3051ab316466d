import type { Caller, Secret, ServiceUnderTest } from '../client/index.ts';
import type { KnownReading } from './known-readings.ts';
import type { Watching } from './monitoring-values.ts';

/** The test data that a team puts into an environment's file. */
export interface ConfiguredData {
  readonly reportLanguage?: string;
  readonly storyId?: string;
  readonly flagKey?: string;
  readonly fromClientId?: string;
  readonly typeName?: string;
  readonly typeVersion?: string;
  readonly storedItemIds: readonly string[];
}

/** One deployment of the service, loaded and checked: whom to call, as whom, with what, and what is allowed. */
export interface Environment extends ServiceUnderTest {
  readonly caller: Caller;
  readonly friend: { readonly userId?: string; readonly accessToken?: Secret };
  readonly data: ConfiguredData;
  readonly provisionUrl?: URL;
  /** A certificate that ends in fewer days is warned of. */
  readonly certificateWarningDays: number;
  /** Every address is this machine's own. */
  readonly isLoopback: boolean;
  /** The most requests that one generated spec makes. */
  readonly requestBudget: number;
  readonly secrets: readonly Secret[];
  readonly watching: Watching;
  /** What is known of the questions that the specification leaves open; absent: nothing. */
  readonly readings?: readonly KnownReading[];
}
