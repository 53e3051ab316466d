import { type Session, undoArguments } from '../client/index.ts';
import { type CallableId, type OperationId, operation, operations } from '../spec/index.ts';

/** A change that is still to be taken back, by whom it was made. */
export interface Undo {
  readonly operation: CallableId;
  readonly args: unknown;
  readonly session: Session;
  readonly changes: ReadonlyMap<string, string | undefined>;
}

/** What takes a request back; `undefined` where nothing does, or where the request named nothing. */
export function undoOf(id: CallableId, args: unknown, by: Pick<Undo, 'session' | 'changes'>): Undo | undefined {
  const undo = id in operations ? undoArguments(operation(id as OperationId), args) : undefined;
  return undo && { operation: undo.undo, args: undo.args, ...by };
}

/** The same change again has the same key. */
export function undoKey({ operation: id, args, session }: Undo): string {
  return JSON.stringify([id, args, session.caller.userId]);
}
