import type { Note } from '../observer/observer.ts';
import type { ServiceUnderTest } from '../target/target.ts';
import type { ReversibleChange, UndoLog } from './undo-log.ts';

/** The parts of a scenario that middleware needs. */
export interface Scope {
  readonly target: ServiceUnderTest;
  readonly undoLog: UndoLog;
  /** The environment's user with an id; `undefined` for a disposable user from the provisioner. */
  readonly roleOf: (userId: string) => ReversibleChange['as'] | undefined;
  /** Declares clean-up for the end of the scenario. */
  readonly defer: (task: () => unknown) => void;
  /** Whether the suite generated a text. */
  readonly isMadeBySuite: (text: string) => boolean;
  /** Whether this scenario made an id up. */
  readonly isInvented: (id: string) => boolean;
  /** An id that nobody knows, in the form of another. */
  readonly invent: (like: string) => string;
  readonly noted: (note: Note) => void;
  /** Creates the error that skips the scenario with a reason. */
  readonly skipped: (reason: string) => Error;
}
