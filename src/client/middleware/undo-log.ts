import type { OperationId } from '../../spec/index.ts';

/** A request that takes a change back, sent as a user to a base address. */
export interface UndoRequest {
  readonly undo: OperationId;
  readonly args: unknown;
  readonly userId: string;
  readonly base: string;
}

/** A change, and how it is taken back. It holds no secret. */
export interface ReversibleChange extends UndoRequest {
  /** The operation that makes the change. */
  readonly change: OperationId;
  /** Whose credentials undo it. */
  readonly as: 'caller' | 'friend';
}

/** Where middleware notes what one scenario changes; the scenario's host keeps it. */
export interface UndoLog {
  /**
   * Notes a change that is about to be sent; when this resolves, the note survives a kill and a power cut.
   * @throws SuiteFault: it could not be noted, so the change must not be sent.
   */
  add(change: ReversibleChange): Promise<{ readonly id: string }>;
  /** The change was sent; from now on an undo that is sent may take it back. */
  made(id: string): void;
  /** The change is no more, or never was. */
  strike(id: string, because: string): void;
  /** The changes already made that a request takes back. */
  undoneBy(request: UndoRequest): readonly { readonly id: string }[];
  /** The changes that live runs have not taken back yet, this run's among them. */
  underWay(): readonly ReversibleChange[];
}
