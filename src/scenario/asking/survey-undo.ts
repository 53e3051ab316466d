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

/** The undos of an experiment's changes, sent before the next question. If one fails, the end of the scenario undoes the change by its journal. */
export function pendingUndos() {
  const pending = new Map<string, Undo>();
  const keyOf = (id: CallableId, args: unknown, { caller }: Session) => JSON.stringify([id, args, caller.userId]);

  return {
    /** Records the undo of a request that was not refused, and removes changes that a request undid itself. */
    note: ({ operation: id }: Exchange, args: unknown, by: By, kind: Reaction['kind']): void => {
      const made = id in operations ? undoArguments(operation(id as OperationId), args) : undefined;
      if (made && kind !== 'refused')
        pending.set(keyOf(made.undo, made.args, by.session), { operation: made.undo, args: made.args, ...by });
      // An accepted documented request has undone the change that it is the undo of.
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
          // A credential that is refused isn't sent any more.
          if (!(error instanceof SuiteFault)) throw error;
        }
      }
    },
  };
}
