import type { ServiceUnderTest } from '../target.ts';
import type { ReversibleChange, UndoLog } from './undo-log.ts';

/** What middleware is given of the scenario whose requests pass it. */
export interface Scope {
  readonly target: ServiceUnderTest;
  readonly undoLog: UndoLog;
  /** Which of the environment's own users has an id; `undefined` for one that the provisioner made, to be thrown away. */
  readonly roleOf: (userId: string) => ReversibleChange['as'] | undefined;
  /** Declares clean-up for the scenario's end. */
  readonly defer: (task: () => unknown) => void;
  /** Whether the suite made a text. */
  readonly isMadeBySuite: (text: string) => boolean;
  /** The error that skips the scenario with a reason. */
  readonly skipped: (reason: string) => Error;
}
