import { type Exchange, RawBody, type Session, undoArguments } from '../../client/index.ts';
import { type CallableId, type OperationId, operation, operations } from '../../spec/index.ts';
import type { Reaction } from './reaction.ts';

export interface Undo {
  readonly operation: CallableId;
  readonly args: unknown;
  readonly session: Session;
  readonly changes: ReadonlyMap<string, string | undefined>;
}

type By = Pick<Undo, 'session' | 'changes'>;

export class PendingUndos {
  readonly #pending = new Map<string, Undo>();

  /** Records the undo of a request that was not refused, and removes changes that a request undid itself. */
  note({ operation: id }: Exchange, args: unknown, by: By, kind: Reaction['kind']): void {
    const made = id in operations ? undoArguments(operation(id as OperationId), args) : undefined;
    if (made && kind !== 'refused') {
      const undo = { operation: made.undo, args: made.args, ...by };
      this.#pending.set(keyOf(undo), undo);
    }
    this.strike(id, args, by, kind);
  }

  /** An accepted documented request has undone the change that it is the undo of. */
  strike(id: CallableId, args: unknown, by: By, kind: Reaction['kind']): void {
    if (kind === 'accepted' && !(args instanceof RawBody)) this.#pending.delete(keyOf({ operation: id, args, ...by }));
  }

  has(id: CallableId, args: unknown, session: Session): boolean {
    return this.#pending.has(keyOf({ operation: id, args, session, changes: new Map() }));
  }

  /** Undoes everything, last change first; returns failures, one line each. */
  async undoAll(send: (undo: Undo) => Promise<Exchange>): Promise<string[]> {
    const left: string[] = [];
    for (const [key, undo] of [...this.#pending].reverse()) {
      const { response } = await send(undo);
      this.#pending.delete(key);
      if (!response || response.status >= 500 || response.status === 429)
        left.push(`${undo.operation} ${JSON.stringify(undo.args)}`);
    }
    return left;
  }
}

function keyOf({ operation: id, args, session }: Undo): string {
  return JSON.stringify([id, args, session.caller.userId]);
}
