import { type OperationId, undoneChange } from '../service/index.ts';

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

export interface Recorded extends ReversibleChange {
  readonly id: string;
  /** ISO 8601. */
  readonly at: string;
}

/** A change that may have to be undone. */
export interface Pending extends Recorded {
  /** It is certain that there is something to undo. */
  readonly isAccepted: boolean;
  /** Its undo was accepted, and nothing has shown yet that it worked. */
  readonly isUndone: boolean;
}

/** Whether a request undoes a change: the same undo, as the same user, to the same address. */
export function undoes(request: UndoRequest, change: UndoRequest): boolean {
  const key = ({ undo, args, userId, base }: UndoRequest) => JSON.stringify([undo, args, userId, base]);
  return key(request) === key(change);
}

/** Whether the record is of a change that was there before: it was undone for a scenario, whose end re-creates it. */
export function isRedo({ change }: ReversibleChange): boolean {
  return undoneChange(change) !== undefined;
}
