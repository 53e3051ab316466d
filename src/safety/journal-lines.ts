import { isRecord, parsedJson } from '../http/index.ts';
import { type OperationId, operationIds } from '../service/index.ts';
import { isUndoOf, type Pending, type Recorded } from './changes.ts';

/** A line of a journal records a change, a response to the change, the state of its undo, or that no undo is needed any more. */
export type Line =
  | { readonly entry: Recorded }
  | { readonly accepted: string }
  | { readonly answered: string }
  | { readonly undone: string }
  /** The undo is about to be sent. If the process is killed, no line about the response follows. */
  | { readonly undoing: string; readonly at: string }
  /** The undo had a response that doesn't say whether it worked. */
  | { readonly undoUnclear: string }
  | { readonly notUndone: string }
  | { readonly struck: string; readonly because: string };

/** The state of an undo, as far as it is known. */
export type UndoState = 'undoing' | 'undoUnclear' | 'notUndone' | 'undone';

export function stateLine(state: UndoState, id: string): Line {
  return { [state]: id, ...(state === 'undoing' ? { at: new Date().toISOString() } : {}) } as Line;
}

/** Reads the lines of a journal. Ignores a torn last line, because a change is sent only after its line is complete. */
export function readLines(text: string) {
  const entries = new Map<string, { -readonly [K in keyof Pending]: Pending[K] }>();
  const damaged: number[] = [];
  const lines = text.split('\n');
  for (const [index, line] of lines.entries()) {
    const read = parsedJson(line);
    const isTorn = index === lines.length - 1;
    if (!isLine(read)) {
      if (line !== '' && !isTorn) damaged.push(index + 1);
    } else if ('entry' in read)
      entries.set(read.entry.id, { ...read.entry, isAccepted: false, isUndone: false, isUndoSent: false });
    else if ('struck' in read) entries.delete(read.struck);
    else if ('undoing' in read)
      Object.assign(entries.get(read.undoing) ?? {}, { isUndoSent: true, undoSentAt: read.at });
    else for (const [name, id] of Object.entries(read)) Object.assign(entries.get(id) ?? {}, STATES[name as State]);
  }
  return {
    pending: [...entries.values()] as readonly Pending[],
    /** Numbers, from 1, of lines that can't be read. The changes that they recorded are unknown. */
    damaged,
  };
}

/** For each kind of line, the fields that it sets in its change. */
const STATES = {
  accepted: { isAccepted: true },
  answered: { isAnswered: true },
  undone: { isUndone: true, undoSentAt: undefined },
  undoUnclear: { isUndoSent: true, undoSentAt: undefined },
  notUndone: { isUndoSent: false },
} satisfies Record<string, Partial<Pending>>;
type State = keyof typeof STATES;

/** Whether a value is a line of a journal. In journals of earlier versions, the first line holds the environment's name. */
function isLine(value: unknown): value is Line | { readonly environment: string } {
  if (!isRecord(value)) return false;
  const { entry, ...others } = value;
  if (entry !== undefined) return isEntry(entry);
  return ['struck', 'environment', 'undoing', ...Object.keys(STATES)].some((name) => typeof others[name] === 'string');
}

function isEntry(value: unknown): value is Recorded {
  if (!isRecord(value) || !('args' in value)) return false;
  const { id, change, undo, as, userId, clientId = '', base, at } = value;
  const areTexts = [id, userId, clientId, base, at].every((each) => typeof each === 'string');
  const areOperations = [change, undo].every((each) => operationIds.some((known) => known === each));
  const isOfTable = areOperations && isUndoOf(undo as OperationId, change as OperationId);
  return areTexts && isOfTable && (as === 'caller' || as === 'friend');
}
