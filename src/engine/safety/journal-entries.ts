import { parsedJson } from '../../client/index.ts';
import { operationIds } from '../../spec/index.ts';
import type { Recorded } from './scope.ts';

export type Entry = Recorded;

/** A line of a journal: whose it is; a change; that it, or its undo, was accepted; or the end of it. */
export type Line =
  | { readonly environment: string }
  | { readonly entry: Entry }
  | { readonly accepted: string }
  | { readonly undone: string }
  | { readonly struck: string; readonly because: string };

/** Reads a journal. A torn last line is ignored: its change had not been sent yet. So are blanks there, room for more lines. */
export function readLines(text: string) {
  const entries = new Map<string, Entry>();
  const accepted = new Set<string>();
  const undone = new Set<string>();
  const damaged: number[] = [];
  const lines = text.split('\n');
  for (const [index, line] of lines.entries()) {
    const read = parsedJson(line);
    const isTorn = index === lines.length - 1;
    if (!isLine(read)) {
      if (line !== '' && !isTorn) damaged.push(index + 1);
      continue;
    }
    if ('environment' in read) continue;
    if ('entry' in read) entries.set(read.entry.id, read.entry);
    else if ('accepted' in read) accepted.add(read.accepted);
    else if ('undone' in read) undone.add(read.undone);
    else entries.delete(read.struck);
  }
  const all = [...entries.values()];
  return {
    pending: all,
    /** Ids of the changes that were certainly made. */
    accepted,
    /** Ids of the changes whose undo was accepted, while no list has shown yet that it worked. */
    undone,
    /** Numbers of lines that no run can have written, from 1: what they announced is lost. */
    damaged,
  };
}

function isLine(value: unknown): value is Line {
  if (typeof value !== 'object' || value === null) return false;
  const { environment, entry, accepted, undone, struck } = value as Record<string, unknown>;
  if (entry !== undefined) return isEntry(entry);
  return [accepted, undone, struck, environment].some((text) => typeof text === 'string');
}

function isEntry(value: unknown): value is Entry {
  if (typeof value !== 'object' || value === null || !('args' in value)) return false;
  const { id, change, undo, as, userId, base, at } = value as Record<string, unknown>;
  const areTexts = [id, userId, base, at].every((each) => typeof each === 'string');
  const areOperations = [change, undo].every((each) => operationIds.some((known) => known === each));
  return areTexts && areOperations && (as === 'caller' || as === 'friend');
}
