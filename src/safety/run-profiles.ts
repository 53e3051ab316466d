import type { Environment } from '../environment/index.ts';
import type { Exchange } from '../http/index.ts';
import type { ProfileField } from '../questions/index.ts';
import { Journal } from './journal.ts';
import { leftoversOf } from './leftovers.ts';

/** A user's profile as the run found it. */
export interface Kept {
  /** The exchange of the latest attempt to read the profile, whether it succeeded or not. */
  readonly asked?: Exchange | undefined;
  /** The exchange that shows the old values; absent if the profile can't be read. */
  readonly read?: Exchange | undefined;
  /** Fields whose old value is an empty text, which the service refuses in an update. */
  readonly refused: readonly ProfileField[];
  /** By field, the id of the record that holds its old value. */
  readonly recorded: Map<ProfileField, string>;
}

/**
 * The profiles of a run's users, which no other run may change meanwhile. The run plays the scenarios that may change profiles one after
 * the other: the first one reads a profile, and the last one restores it. Until then the journal keeps the old values.
 */
export class RunProfiles {
  readonly journal: Journal;
  readonly kept = new Map<string, Kept>();
  readonly #signal: AbortSignal | undefined;
  #scenarios: number;

  /** `scenarios` is the number of scenarios that may change a profile. */
  constructor(environment: Environment, scenarios: number, signal: AbortSignal | undefined) {
    this.journal = new Journal(environment, leftoversOf(environment));
    this.#scenarios = scenarios;
    this.#signal = signal;
  }

  /** Notes that the next scenario begins or is skipped. If an earlier scenario could not read a profile, the next one tries again. */
  begin(): void {
    this.#scenarios--;
    for (const [user, { read }] of this.kept) if (!read) this.kept.delete(user);
  }

  /** Whether the current scenario must restore the profiles, because no later one will. */
  get isLast(): boolean {
    return this.#scenarios === 0 || this.#signal?.aborted === true;
  }
}
