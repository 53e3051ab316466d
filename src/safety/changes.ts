import { type OperationId, operation, undoneChange } from '../service/index.ts';

export interface UndoRequest {
  readonly undo: OperationId;
  readonly args: unknown;
  readonly userId: string;
  /** Absent in a record of an earlier edition. */
  readonly clientId?: string | undefined;
  readonly base: string;
}

export interface ReversibleChange extends UndoRequest {
  readonly change: OperationId;
  /** The user whose credentials undo it. */
  readonly as: 'caller' | 'friend';
  /** Its arguments where an id was a number, which a service may keep as such and show as text. */
  readonly asSent?: object;
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
  /** It had a response that says neither that it was made nor that it was not: it is not on its way any more. */
  readonly isAnswered?: boolean;
  /** Its undo was accepted, and nothing has shown yet that it worked. */
  readonly isUndone: boolean;
  /** Its undo was sent, and nothing is known of the response: it is sent once more, and what is then not found was undone. */
  readonly isUndoSent: boolean;
  /** When, in ISO 8601. */
  readonly undoSentAt?: string | undefined;
}

/** Whether a request undoes a change: the same undo, as the same caller, to the same address. */
export function undoes(request: UndoRequest, change: UndoRequest): boolean {
  const key = ({ undo, args, base }: UndoRequest) => JSON.stringify([undo, args, base]);
  return key(request) === key(change) && isOfCaller(change, request);
}

/** Whether the caller with these ids made a change. */
export function isOfCaller(
  { userId, clientId }: Pick<UndoRequest, 'userId' | 'clientId'>,
  caller: Pick<UndoRequest, 'userId' | 'clientId'>,
): boolean {
  return userId === caller.userId && (clientId ?? caller.clientId) === (caller.clientId ?? clientId);
}

/** Whether the specification makes an operation the undo of another one: no other operation gets the effect of an undo. */
export function isUndoOf(undo: OperationId, change: OperationId): boolean {
  const { undo: takesBack, restoredBy } = operation(change);
  return [takesBack, restoredBy, undoneChange(change)].includes(undo);
}

/** Whether the record is of a change that was there before: it was undone for a scenario, whose end re-creates it. */
export function isRedo({ change }: ReversibleChange): boolean {
  return undoneChange(change) !== undefined;
}
