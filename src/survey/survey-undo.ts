import { validateRequest } from '../../schemas/index.ts';
import { RawBody, type Session } from '../client/index.ts';
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
  const undo = id in operations ? operation(id as OperationId).undo : undefined;
  if (!undo) return undefined;
  const entry = operation(undo as OperationId);
  const documented = entry.request ? documentedPart(args) : args;
  if (entry.request && validateRequest(entry.request, documented).length > 0) return undefined;
  return { operation: undo as CallableId, args: documented, ...by };
}

/** A spoiled body's reference, without what it was spoiled with; a service that took a number for an id made a text of it. */
function documentedPart(args: unknown): unknown {
  if (!(args instanceof RawBody)) return args;
  try {
    const { friendId, storyId } = JSON.parse(args.text ?? '') as Record<string, unknown>;
    return friendId === undefined ? { storyId: asText(storyId) } : { friendId: asText(friendId) };
  } catch {
    return undefined;
  }
}

function asText(value: unknown): unknown {
  return typeof value === 'number' ? String(value) : value;
}

/** The same change again has the same key. */
export function undoKey({ operation: id, args, session }: Undo): string {
  return JSON.stringify([id, args, session.caller.userId]);
}
