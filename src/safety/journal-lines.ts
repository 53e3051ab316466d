import { isRecord, parsedJson } from '../http/index.ts';
import { operationIds } from '../service/index.ts';
import type { Recorded } from './changes.ts';

/** A line of a journal records a change, that the service accepted it or its undo, or that it is settled. */
export type Line =
  | { readonly entry: Recorded }
  | { readonly accepted: string }
  | { readonly undone: string }
  | { readonly struck: string; readonly because: string };

/** Reads the lines of a journal. A torn last line is ignored: its change had not been sent yet. */
export function readLines(text: string) {
  const entries = new Map<string, Recorded>();
  const accepted = new Set<string>();
  const undone = new Set<string>();
  const damaged: number[] = [];
  const lines = text.split('\n');
  for (const [index, line] of lines.entries()) {
    const read = parsedJson(line);
    const isTorn = index === lines.length - 1;
    if (!isLine(read)) {
      if (line !== '' && !isTorn) damaged.push(index + 1);
    } else if ('entry' in read) entries.set(read.entry.id, read.entry);
    else if ('accepted' in read) accepted.add(read.accepted);
    else if ('undone' in read) undone.add(read.undone);
    else if ('struck' in read) entries.delete(read.struck);
  }
  return {
    pending: [...entries.values()].map((entry) => ({
      ...entry,
      isAccepted: accepted.has(entry.id),
      isUndone: undone.has(entry.id),
    })),
    /** Numbers of lines that no run can have written, from 1: what they announced is lost. */
    damaged,
  };
}

/** With the first line that earlier versions wrote, which names the environment. */
function isLine(value: unknown): value is Line | { readonly environment: string } {
  if (!isRecord(value)) return false;
  const { environment, entry, accepted, undone, struck } = value;
  if (entry !== undefined) return isEntry(entry);
  return [accepted, undone, struck, environment].some((text) => typeof text === 'string');
}

function isEntry(value: unknown): value is Recorded {
  if (!isRecord(value) || !('args' in value)) return false;
  const { id, change, undo, as, userId, base, at } = value;
  const areTexts = [id, userId, base, at].every((each) => typeof each === 'string');
  const areOperations = [change, undo].every((each) => operationIds.some((known) => known === each));
  return areTexts && areOperations && (as === 'caller' || as === 'friend');
}
