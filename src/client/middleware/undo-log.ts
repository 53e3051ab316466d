import type { OperationId } from '../../spec/index.ts';

/** A request that undoes a change, sent as a user to a base address. */
export interface UndoRequest {
  readonly undo: OperationId;
  readonly args: unknown;
  readonly userId: string;
  readonly base: string;
}

/** A change with its undo. It contains no secret. */
export interface ReversibleChange extends UndoRequest {
  /** The operation of the change. */
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
  /** Changes whose undo was accepted and not seen to work yet. */
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
