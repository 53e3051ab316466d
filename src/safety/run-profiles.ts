import type { Environment } from '../environment/index.ts';
import type { Exchange } from '../http/index.ts';
import type { ProfileField } from '../questions/index.ts';
import { Journal } from './journal.ts';
import { leftoversOf } from './leftovers.ts';

/** The profile of a user, as it was found. */
export interface Kept {
  /** The read, however it ended. */
  readonly asked?: Exchange | undefined;
  /** The exchange that shows the old values; absent where the profile can't be read. */
  readonly read?: Exchange | undefined;
  /** Fields whose old value is an empty text, which the service doesn't take back. */
  readonly refused: readonly ProfileField[];
  /** By field, the record that holds its old value. */
  readonly recorded: Map<ProfileField, string>;
}

/**
 * The profiles of a run that has the users for itself, and plays the scenarios that may change them one after the other: the first of these
 * reads a profile, and the last one restores it. Meanwhile the journal has the old values.
 */
export class RunProfiles {
  readonly journal: Journal;
  readonly kept = new Map<string, Kept>();
  readonly #signal: AbortSignal | undefined;
  #scenarios: number;

  /** `scenarios`: how many may change a profile. */
  constructor(environment: Environment, scenarios: number, signal: AbortSignal | undefined) {
    this.journal = new Journal(environment, leftoversOf(environment));
    this.#scenarios = scenarios;
    this.#signal = signal;
  }

  /** The next scenario begins, or is left out. What an earlier one could not read, it reads again. */
  begin(): void {
    this.#scenarios--;
    for (const [user, { read }] of this.kept) if (!read) this.kept.delete(user);
  }

  /** Whether no other scenario will restore what is changed now. */
  get isLast(): boolean {
    return this.#scenarios === 0 || this.#signal?.aborted === true;
  }
}
