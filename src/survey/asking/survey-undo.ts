import { type Exchange, RawBody, type Session, SuiteFault, undoArguments } from '../../client/index.ts';
import { type CallableId, type OperationId, operation, operations } from '../../spec/index.ts';
import type { Reaction } from './reaction.ts';

export interface Undo {
  readonly operation: CallableId;
  readonly args: unknown;
  readonly session: Session;
  readonly changes: ReadonlyMap<string, string | undefined>;
}

type By = Pick<Undo, 'session' | 'changes'>;

export function pendingUndos() {
  const pending = new Map<string, Undo>();
  const keyOf = (id: CallableId, args: unknown, { caller }: Session) => JSON.stringify([id, args, caller.userId]);

  /** An accepted documented request has undone the change that it is the undo of. */
  function strike(id: CallableId, args: unknown, { session }: By, kind: Reaction['kind']): void {
    if (kind === 'accepted' && !(args instanceof RawBody)) pending.delete(keyOf(id, args, session));
  }

  return {
    strike,
    /** Records the undo of a request that was not refused, and removes changes that a request undid itself. */
    note: ({ operation: id }: Exchange, args: unknown, by: By, kind: Reaction['kind']): void => {
      const made = id in operations ? undoArguments(operation(id as OperationId), args) : undefined;
      if (made && kind !== 'refused')
        pending.set(keyOf(made.undo, made.args, by.session), { operation: made.undo, args: made.args, ...by });
      strike(id, args, by, kind);
    },
    has: (id: CallableId, args: unknown, session: Session) => pending.has(keyOf(id, args, session)),
    /** Undoes everything, last change first; returns failures, one line each. */
    undoAll: async (send: (undo: Undo) => Promise<Exchange>): Promise<string[]> => {
      const left: string[] = [];
      for (const [key, undo] of [...pending].reverse()) {
        pending.delete(key);
        const line = `${undo.operation} ${JSON.stringify(undo.args)}`;
        try {
          const { response } = await send(undo);
          if (!response || response.status >= 500 || response.status === 429) left.push(line);
        } catch (error) {
          // A credential that is refused isn't sent any more.
          if (!(error instanceof SuiteFault)) throw error;
          left.push(`${line}: ${error.message}`);
        }
      }
      return left;
    },
  };
}
