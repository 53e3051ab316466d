import type { ReversibleChange, UndoRequest } from '../../client/index.ts';
import type { Owner } from './owner.ts';

/** A change that was about to be made, and how it is taken back. It holds no secret. */
export interface Entry extends ReversibleChange {
  readonly id: string;
  /** ISO 8601. */
  readonly at: string;
}

/** A line of a journal: whose it is (`nobody`: of a scenario that is over), a change, or that a change is no more. */
export type Line =
  | { readonly owner: Owner | 'nobody'; readonly environment: string; readonly run: string }
  | { readonly entry: Entry }
  | { readonly struck: string; readonly because: string };

/** What a journal says: its owner, and the changes that nothing strikes out, in their order. */
export interface Contents {
  readonly owner?: Owner | 'nobody';
  readonly pending: readonly Entry[];
}

/** Reads a journal. A torn last line is no line: what it was to announce had not been sent yet. */
export function readLines(text: string): Contents {
  let owner: Contents['owner'];
  const pending = new Map<string, Entry>();
  for (const line of text.split('\n')) {
    const read = parsed(line);
    if (!read) continue;
    if ('owner' in read) owner = read.owner;
    else if ('entry' in read) pending.set(read.entry.id, read.entry);
    else pending.delete(read.struck);
  }
  return { ...(owner ? { owner } : {}), pending: [...pending.values()] };
}

function parsed(line: string): Line | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? (value as Line) : undefined;
  } catch {
    return undefined;
  }
}

/** Whether `change` undoes an entry: the very same undo, sent as the same user to the same address. */
export function undoes(change: UndoRequest, entry: Entry): boolean {
  return sameUndo(change, entry) && JSON.stringify(change.args) === JSON.stringify(entry.args);
}

/** Whether two changes touch the same thing: undoing one would undo the other. */
export function touchesSame(a: UndoRequest, b: UndoRequest): boolean {
  // A profile has one place, whatever is written there.
  return a.undo === 'updateProfile'
    ? sameUndo(a, b)
    : sameUndo(a, b) && JSON.stringify(a.args) === JSON.stringify(b.args);
}

function sameUndo(a: UndoRequest, b: UndoRequest): boolean {
  return a.undo === b.undo && a.userId === b.userId && a.base === b.base;
}
