import type { CallingSession } from '../call/index.ts';
import type { Note, ScenarioStep, ServiceUnderTest } from '../verdict/index.ts';
import type { ReversibleChange } from './changes.ts';
import type { Journal } from './journal.ts';
import type { ReadLists } from './read-lists.ts';
import type { RunProfiles } from './run-profiles.ts';

const RESTORES = Symbol('restores what was there before');

/** Arguments that restore what was there before: sending them is not a change to undo. No request shows the mark. */
export function asRestoration<T>(args: T): T {
  if (typeof args !== 'object' || args === null) return args;
  return Object.defineProperty({ ...args }, RESTORES, { value: true });
}

export function isPutBack(args: unknown): boolean {
  return typeof args === 'object' && args !== null && RESTORES in args;
}

/** State that a scenario takes over from the scenarios before it, in a run that has the users for itself. */
export interface HandedOn {
  readonly lists?: ReadLists | undefined;
  /** For a scenario that may change profiles. */
  readonly profiles?: RunProfiles | undefined;
}

/** The scenario whose requests are guarded. */
export interface Scope extends HandedOn {
  readonly target: ServiceUnderTest;
  readonly journal: Journal;
  /** By user, of what is recorded: who undoes it at the end. */
  readonly sessions: Map<string, CallingSession>;
  /** The environment's user with an id; `undefined` for a disposable user from the provisioner. */
  readonly roleOf: (userId: string) => ReversibleChange['as'] | undefined;
  readonly isInvented: (id: string) => boolean;
  /** An id that nobody knows, in the form of another. */
  readonly invent: (like: string) => string;
  /** Whether the scenario's body has ended. */
  readonly isCleanUp: () => boolean;
  readonly noted: (note: Note) => void;
  /** Does work that the spec doesn't ask for, as a separate step that the result shows. */
  readonly step: <T>(at: ScenarioStep['at'], what: string, work: () => Promise<T>) => Promise<T>;
  readonly skipped: (reason: string) => Error;
}
