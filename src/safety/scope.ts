import type { CallingSession } from '../call/index.ts';
import type { Note, ScenarioStep, ServiceUnderTest } from '../verdict/index.ts';
import type { ReversibleChange } from './changes.ts';
import type { Journal } from './journal.ts';
import type { JournalFiles } from './journal-file.ts';
import type { ReadLists } from './read-lists.ts';
import type { RunProfiles } from './run-profiles.ts';

const RESTORES = Symbol('restores what was there before');

/** Marks arguments that restore an earlier state, so that the request isn't recorded as a new change. The mark is not sent. */
export function asRestoration<T>(args: T): T {
  if (typeof args !== 'object' || args === null) return args;
  return Object.defineProperty({ ...args }, RESTORES, { value: true });
}

export function isRestoration(args: unknown): boolean {
  return typeof args === 'object' && args !== null && RESTORES in args;
}

/** State that a scenario takes over from earlier scenarios of the run. Present only if no other run may act as the same users meanwhile. */
export interface HandedOn {
  readonly lists?: ReadLists | undefined;
  readonly journals?: JournalFiles | undefined;
  /** Present if the scenario may change profiles. */
  readonly profiles?: RunProfiles | undefined;
}

/** The scenario whose requests `src/safety/` checks and records, with the functions that these checks and records need. */
export interface Scope extends HandedOn {
  readonly target: ServiceUnderTest;
  readonly journal: Journal;
  /** By user id, the session that undoes the user's recorded changes at the end of the scenario. */
  readonly sessions: Map<string, CallingSession>;
  /** The role of the environment's user with this id; `undefined` for a disposable user from the provisioner. */
  readonly roleOf: (userId: string) => ReversibleChange['as'] | undefined;
  readonly isInvented: (id: string) => boolean;
  /** Makes an id that doesn't exist, in the form of `like`. */
  readonly invent: (like: string) => string;
  /** Whether the current call belongs to the clean-up. */
  readonly isCleanUp: () => boolean;
  readonly noted: (note: Note) => void;
  /** Does work that the spec doesn't ask for, as a separate step that the result shows. */
  readonly step: <T>(at: ScenarioStep['at'], what: string, work: () => Promise<T>) => Promise<T>;
  readonly skipped: (reason: string) => Error;
}
