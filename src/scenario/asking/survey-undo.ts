import { RawBody, type Session } from '../../call/index.ts';
import type { Exchange } from '../../http/index.ts';
import type { Reaction } from '../../questions/index.ts';
import { undoArguments } from '../../safety/index.ts';
import { type CallableId, type OperationId, operation, operations } from '../../service/index.ts';
import { SuiteFault } from '../../verdict/index.ts';

export interface Undo {
  readonly operation: CallableId;
  readonly args: unknown;
  readonly session: Session;
  readonly changes: ReadonlyMap<string, string | undefined>;
}

type By = Pick<Undo, 'session' | 'changes'>;

/**
 * The undos of an experiment's changes, which are sent before the next question. If an undo fails, the change is still in the journal, and the end of
 * the scenario undoes it.
 */
export function pendingUndos() {
  const pending = new Map<string, Undo>();
  const keyOf = (id: CallableId, args: unknown, { caller }: Session) => JSON.stringify([id, args, caller.userId]);

  return {
    /** Records the undo of a request that was not refused. If the request was itself an undo, removes the change that it undid. */
    note: ({ operation: id }: Exchange, args: unknown, by: By, kind: Reaction['kind']): void => {
      const made = id in operations ? undoArguments(operation(id as OperationId), args) : undefined;
      if (made && kind !== 'refused')
        pending.set(keyOf(made.undo, made.args, by.session), { operation: made.undo, args: made.args, ...by });
      // If the accepted request was itself the undo of an earlier change, the pending undo of that change need not be sent.
      if (kind === 'accepted' && !(args instanceof RawBody)) pending.delete(keyOf(id, args, by.session));
    },
    has: (id: CallableId, args: unknown, session: Session) => pending.has(keyOf(id, args, session)),
    /** Undoes everything, last change first. */
    undoAll: async (send: (undo: Undo) => Promise<Exchange>): Promise<void> => {
      for (const [key, undo] of [...pending].reverse()) {
        pending.delete(key);
        try {
          await send(undo);
        } catch (error) {
          // This undo was not sent, for example because its credential is refused. The other undos are still tried.
          if (!(error instanceof SuiteFault)) throw error;
        }
      }
    },
  };
}
