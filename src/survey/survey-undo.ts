import { type Exchange, RawBody, type Session, undoArguments } from '../client/index.ts';
import { type CallableId, type OperationId, operation, operations } from '../spec/index.ts';
import type { Reaction } from './reaction.ts';

/** A change that is still to be taken back, by whom it was made. */
export interface Undo {
  readonly operation: CallableId;
  readonly args: unknown;
  readonly session: Session;
  readonly changes: ReadonlyMap<string, string | undefined>;
}

type By = Pick<Undo, 'session' | 'changes'>;

/** The changes that a survey has made and not yet taken back. */
export class PendingUndos {
  readonly #pending = new Map<string, Undo>();

  /** Notes the undo of a request that wasn't refused, and strikes out what a request took back itself. */
  note({ operation: id }: Exchange, args: unknown, by: By, kind: Reaction['kind']): void {
    const undo = undoOf(id, args, by);
    if (undo && kind !== 'refused') this.#pending.set(keyOf(undo), undo);
    this.strike(id, args, by, kind);
  }

  /** A request that was accepted as it is documented has taken back what it is the undo of. */
  strike(id: CallableId, args: unknown, by: By, kind: Reaction['kind']): void {
    if (kind === 'accepted' && !(args instanceof RawBody)) this.#pending.delete(keyOf({ operation: id, args, ...by }));
  }

  has(id: CallableId, args: unknown, session: Session): boolean {
    return this.#pending.has(keyOf({ operation: id, args, session, changes: new Map() }));
  }

  /** Takes everything back, the last change first; returns what could not be, a line each. */
  async takeBack(send: (undo: Undo) => Promise<Exchange>): Promise<string[]> {
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

/** What takes a request back; `undefined` where nothing does, or where the request named nothing. */
export function undoOf(id: CallableId, args: unknown, by: By): Undo | undefined {
  const undo = id in operations ? undoArguments(operation(id as OperationId), args) : undefined;
  return undo && { operation: undo.undo, args: undo.args, ...by };
}

/** The same change again has the same key. */
function keyOf({ operation: id, args, session }: Undo): string {
  return JSON.stringify([id, args, session.caller.userId]);
}
