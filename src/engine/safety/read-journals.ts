import { join } from 'node:path';
import { redact } from '../../client/index.ts';
import {
  FileTrouble,
  fileRoles,
  listFolder,
  readTextIfAny,
  remove,
  replaceText,
  unlessFileTrouble,
} from '../../config/files/index.ts';
import { journalFolder, type Leftover } from './journal.ts';
import { type Line, readLines } from './journal-entries.ts';
import { isOwnJournal } from './journal-file.ts';
import { otherHolder, type SharedUsers, usersOf } from './lock/users-lock.ts';

export type JournalFile = NonNullable<ReturnType<typeof readJournal>>;

type Named = SharedUsers & { readonly name: string };

/** The journals of an environment, whoever wrote them. `isLive`: its run goes on, in another process. */
export function readJournals(environment: Named): JournalFile[] {
  const folder = journalFolder(environment.name);
  const names = listFolder(folder, fileRoles.state).filter((name) => name.endsWith('.jsonl'));
  if (names.length === 0) return [];
  const own = usersOf(environment);
  const held = new Map<string, boolean>();
  const isHeld = (users: string) => {
    const known = held.get(users) ?? otherHolder(users) !== undefined;
    held.set(users, known);
    return known;
  };
  return names.sort().flatMap((name) => readJournal(join(folder, name), isHeld(usersIn(name) ?? own)) ?? []);
}

/** The journals of runs that are over. Whoever holds the lock of users reads all of theirs, but for this process's own. */
export function readDeadJournals(environment: Named): JournalFile[] {
  return readJournals(environment).filter(({ path, isLive }) => !isLive && !isOwnJournal(path));
}

function usersIn(name: string): string | undefined {
  return /^([0-9a-f]{24})-/.exec(name)?.[1];
}

function readJournal(path: string, isLive: boolean) {
  const text = readTextIfAny(path, fileRoles.state);
  // Its process has just ended and taken it away.
  return text === undefined ? undefined : { path, isLive, ...readLines(text) };
}

/** What runs that are over left behind, newest first. */
export function leftoversOf(environment: Named): Leftover[] {
  return readDeadJournals(environment).flatMap(leftoversIn);
}

export function leftoversIn({ path, pending, accepted, undone }: JournalFile): Leftover[] {
  return pending.toReversed().map((entry) => ({
    ...entry,
    ...{ isAccepted: accepted.has(entry.id), isUndone: undone.has(entry.id), by: 'an earlier run' },
    undone: () => noteInFile(path, { undone: entry.id }),
    strike: (because) => noteInFile(path, { struck: entry.id, because }),
  }));
}

/** Adds a line to the journal of a run that is over; without changes, the file goes. */
export function noteInFile(path: string, line: Line): void {
  // A change that can't be struck out on a full disk is undone again by the next run, which is harmless.
  unlessFileTrouble(() => {
    const found = readTextIfAny(path, fileRoles.state);
    if (found === undefined) return;
    // Without its torn last line, if it has one: that would take this one with it.
    const text = `${found.slice(0, found.lastIndexOf('\n') + 1)}${JSON.stringify(line)}\n`;
    const { pending, damaged } = readLines(text);
    if (pending.length + damaged.length === 0) remove(path, fileRoles.state);
    else replaceText(path, redact(text), fileRoles.state, { isFlushed: true });
  });
}

/** Takes away the journals of runs that are over and left nothing. */
export function removeEmptyJournals(environment: Named): void {
  for (const { path, pending, damaged } of readDeadJournals(environment))
    if (pending.length + damaged.length === 0) unlessFileTrouble(() => remove(path, fileRoles.state));
}

/** A change that can't be read can't be undone, and must not be passed over in silence. @throws FileTrouble for a damaged journal. */
export function assertJournalsWhole(environment: Named): void {
  const found = readDeadJournals(environment).find(({ damaged }) => damaged.length > 0);
  if (!found) return;
  const { path, damaged } = found;
  const role = {
    what: fileRoles.state.what,
    elsewhere: `remove it with \`npx sextant undo --env ${environment.name} --forget\``,
  };
  const lines = `line${damaged.length === 1 ? '' : 's'} ${damaged.slice(0, 5).join(', ')}`;
  throw new FileTrouble(path, role, `is damaged in ${lines}, so a change of a run may remain`, 'Undo it by hand');
}
