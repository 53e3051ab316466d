import { type OperationId, operation, undoneChange } from '../service/index.ts';

export interface UndoRequest {
  readonly undo: OperationId;
  readonly args: unknown;
  readonly userId: string;
  /** Absent in journals of earlier versions. */
  readonly clientId?: string | undefined;
  readonly base: string;
}

export interface ReversibleChange extends UndoRequest {
  readonly change: OperationId;
  /** The user whose credentials undo the change. */
  readonly as: 'caller' | 'friend';
  /**
   * The arguments with an id as a number, if the request sent a number. Some services store the number, and then an undo with the id as a
   * text doesn't find the change.
   */
  readonly asSent?: object;
}

export interface Recorded extends ReversibleChange {
  readonly id: string;
  /** When the change was recorded, in ISO 8601. */
  readonly at: string;
}

/** A change that may have to be undone. */
export interface Pending extends Recorded {
  /** The service accepted the change, so there is something to undo. */
  readonly isAccepted: boolean;
  /** The service responded to the change, but the response doesn't say whether the change was made. The request can't arrive later. */
  readonly isAnswered?: boolean;
  /** The undo was accepted, but no list has confirmed it yet. */
  readonly isUndone: boolean;
  /**
   * The undo was sent, but its outcome is unknown, so the undo is sent again. If the service then finds nothing to undo, the first undo
   * worked.
   */
  readonly isUndoSent: boolean;
  /** When the undo was sent, in ISO 8601. */
  readonly undoSentAt?: string | undefined;
}

/** Whether a request undoes a change: operation and arguments are those of its undo, and caller and address are those of the change. */
export function undoes(request: UndoRequest, change: UndoRequest): boolean {
  const key = ({ undo, args, base }: UndoRequest) => JSON.stringify([undo, args, base]);
  return key(request) === key(change) && isOfCaller(change, request);
}

/** Whether the caller made the change. If the change or the caller has no client id, only the user ids are compared. */
export function isOfCaller(
  { userId, clientId }: Pick<UndoRequest, 'userId' | 'clientId'>,
  caller: Pick<UndoRequest, 'userId' | 'clientId'>,
): boolean {
  return userId === caller.userId && (clientId ?? caller.clientId) === (caller.clientId ?? clientId);
}

/**
 * Whether `undo` undoes `change` by the specification. If so, the undo is sent with the effect `reversible`, even if its operation has a
 * graver effect.
 */
export function isUndoOf(undo: OperationId, change: OperationId): boolean {
  const { undo: ownUndo, restoredBy } = operation(change);
  return [ownUndo, restoredBy, undoneChange(change)].includes(undo);
}

/**
 * Whether the recorded change is itself an undo: it undid an earlier change for a scenario, and the end of that scenario must re-create the
 * earlier change.
 */
export function isRedo({ change }: ReversibleChange): boolean {
  return undoneChange(change) !== undefined;
}
