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

export function pendingUndos() {
  const pending = new Map<string, Undo>();
  /** Those that were tried, with why they failed: the same change may be made and undone again. */
  const failed = new Map<string, Undo & { readonly why: string }>();
  const keyOf = (id: CallableId, args: unknown, { caller }: Session) => JSON.stringify([id, args, caller.userId]);

  /** An accepted documented request has undone the change that it is the undo of. */
  function strike(id: CallableId, args: unknown, { session }: By, kind: Reaction['kind']): void {
    if (kind !== 'accepted' || args instanceof RawBody) return;
    const key = keyOf(id, args, session);
    pending.delete(key);
    failed.delete(key);
  }

  async function undoAll(send: (undo: Undo) => Promise<Exchange>): Promise<void> {
    for (const [key, undo] of [...pending].reverse()) {
      pending.delete(key);
      const why = await whyNotUndone(undo, send);
      if (why === undefined) failed.delete(key);
      else failed.set(key, { ...undo, why });
    }
  }

  return {
    /** Records the undo of a request that was not refused, and removes changes that a request undid itself. */
    note: ({ operation: id }: Exchange, args: unknown, by: By, kind: Reaction['kind']): void => {
      const made = id in operations ? undoArguments(operation(id as OperationId), args) : undefined;
      if (made && kind !== 'refused')
        pending.set(keyOf(made.undo, made.args, by.session), { operation: made.undo, args: made.args, ...by });
      strike(id, args, by, kind);
    },
    has: (id: CallableId, args: unknown, session: Session) => pending.has(keyOf(id, args, session)),
    /** Undoes everything, last change first. */
    undoAll,
    /** The same at the end, once more what failed; returns what stays, one line each. */
    undoAtLast: async (send: (undo: Undo) => Promise<Exchange>): Promise<string[]> => {
      await undoAll(send);
      for (const [key, undo] of failed) pending.set(key, undo);
      await undoAll(send);
      return [...failed.values()].map(({ operation: id, args, why }) => `${id} ${JSON.stringify(args)}: ${why}`);
    },
  };
}

async function whyNotUndone(undo: Undo, send: (undo: Undo) => Promise<Exchange>): Promise<string | undefined> {
  try {
    const { response } = await send(undo);
    if (!response) return 'no response';
    return response.status >= 500 || response.status === 429 ? `${response.status}` : undefined;
  } catch (error) {
    // A credential that is refused isn't sent any more.
    if (error instanceof SuiteFault) return error.message;
    throw error;
  }
}
