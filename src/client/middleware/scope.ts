import type { OperationId } from '../../spec/index.ts';
import type { Note } from '../observer/observer.ts';
import type { ServiceUnderTest } from '../target/target.ts';

/** The parts of a scenario that middleware needs. */
export interface Scope {
  readonly target: ServiceUnderTest;
  readonly undoLog: UndoLog;
  /** The environment's user with an id; `undefined` for a disposable user from the provisioner. */
  readonly roleOf: (userId: string) => ReversibleChange['as'] | undefined;
  /** Declares clean-up for the end of the scenario. */
  readonly defer: (task: () => unknown) => void;
  readonly isMadeBySuite: (text: string) => boolean;
  /** Whether this scenario made an id up. */
  readonly isInvented: (id: string) => boolean;
  /** An id that nobody knows, in the form of another. */
  readonly invent: (like: string) => string;
  readonly noted: (note: Note) => void;
  /** Creates the error that skips the scenario with a reason. */
  readonly skipped: (reason: string) => Error;
}

/** A request that undoes a change, sent as a user to a base address. */
export interface UndoRequest {
  readonly undo: OperationId;
  readonly args: unknown;
  readonly userId: string;
  readonly base: string;
}

export interface ReversibleChange extends UndoRequest {
  readonly change: OperationId;
  /** The user whose credentials undo it. */
  readonly as: 'caller' | 'friend';
}

/** A change that was recorded before it was sent. */
export interface Recorded extends ReversibleChange {
  readonly id: string;
  /** ISO 8601. */
  readonly at: string;
}

/** The log of one scenario's changes, provided by the runner. */
export interface UndoLog {
  /**
   * Records a change before it is sent; when this resolves, the record survives a kill and a power cut.
   * @throws SuiteFault when it could not be recorded, so the change must not be sent.
   */
  add(change: ReversibleChange): Promise<Recorded>;
  /** The change was sent: undos sent from now on may cover it. `isAccepted`: it is certain that there is something to undo. */
  made(id: string, isAccepted: boolean): void;
  /** The undo was accepted; nothing has shown yet that it worked. */
  undone(id: string): void;
  /** The undo was seen to have worked, or the change was never made. */
  strike(id: string, because: string): void;
  /** The changes that a request undoes and that were not undone yet: of this scenario, and of runs that are over. */
  undoneBy(request: UndoRequest): readonly Recorded[];
  unseen(matches: (change: Recorded) => boolean): readonly Recorded[];
  /** Whatever runs of the suite, live ones too, have not undone yet, or undid without its being seen, for the same undo. */
  ours(request: UndoRequest): readonly ReversibleChange[];
  /** Changes of this scenario that were accepted: those that are not undone, and those whose undo was not seen to work yet. */
  left(): { readonly pending: readonly Recorded[]; readonly unseen: readonly Recorded[] };
  /** Whether it is certain that a change was accepted. */
  wasAccepted(id: string): boolean;
  /** Changes that live runs have not undone yet, including this run's. */
  underWay(): readonly ReversibleChange[];
}
