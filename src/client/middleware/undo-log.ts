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

/** The log of one scenario's changes, provided by the runner. */
export interface UndoLog {
  /**
   * Records a change before it is sent; when this resolves, the record survives a kill and a power cut.
   * @throws SuiteFault when it could not be recorded, so the change must not be sent.
   */
  add(change: ReversibleChange): Promise<{ readonly id: string }>;
  /** The change was sent: undos sent from now on may cover it. */
  made(id: string): void;
  /** The change is undone, or was never made. */
  strike(id: string, because: string): void;
  /** The changes that a request undoes. */
  undoneBy(request: UndoRequest): readonly { readonly id: string }[];
  /** Changes that live runs have not undone yet, including this run's. */
  underWay(): readonly ReversibleChange[];
}
