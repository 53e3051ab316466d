import { join } from 'node:path';
import { excerpt, redact, type SentChange } from '../../client/index.ts';
import {
  FileTrouble,
  fileRoles,
  listFolder,
  readText,
  readTextIfAny,
  remove,
  replaceText,
  unlessFileTrouble,
} from '../../config/files/index.ts';
import type { Environment } from '../../config/index.ts';
import { operation } from '../../spec/index.ts';
import { type Entry, type Line, readLines } from './entries.ts';
import { journalFolder } from './journal.ts';
import { isOwnJournal } from './journal-writer.ts';
import { isLive, renewedAt } from './owner.ts';

export type JournalFile = NonNullable<ReturnType<typeof readJournal>>;

export function readJournals(environment: string, isRead: (path: string) => boolean = () => true): JournalFile[] {
  const folder = journalFolder(environment);
  const read = new Map<string, JournalFile | undefined>();
  const unread = () => {
    const names = listFolder(folder, fileRoles.state).filter((name) => name.endsWith('.jsonl'));
    const paths = names.sort().map((name) => join(folder, name));
    return paths.filter((path) => isRead(path) && !read.has(path));
  };
  // A run that is killed while they are read may have left in a new one what its own still has.
  for (let paths = unread(); paths.length > 0; paths = unread())
    for (const path of paths) read.set(path, readJournal(path));
  return [...read.values()].filter((file) => file !== undefined);
}

/** The journals of dead processes and finished scenarios. This process's own isn't even read: it is asked before each scenario. */
export function readDeadJournals(environment: string): JournalFile[] {
  return readJournals(environment, (path) => !isOwnJournal(path)).filter(({ live }) => !live);
}

function readJournal(path: string) {
  const text = readTextIfAny(path, fileRoles.state);
  const renewed = renewedAt(path, fileRoles.state);
  // Its process has just ended and taken it away.
  if (text === undefined || renewed === undefined) return undefined;
  const contents = readLines(text);
  const { owner, damaged } = contents;
  // Without an owner its first line was never finished, so nothing was sent; it may be being written just now.
  const mayLive = owner !== 'nobody' && (owner !== undefined || damaged.length === 0);
  const live = mayLive && isLive(path, owner, renewed);
  return { path, renewed, live, ...contents };
}

export type Leftovers = ReturnType<typeof leftoversIn>;

/** What scenarios and runs that are over left behind as the environment's present users, at its present addresses. */
export function leftoversOf({ name, addresses, caller, friend }: Environment): Leftovers {
  return leftoversIn(
    readDeadJournals(name),
    ({ as, userId, base, undo }) =>
      base === addresses[operation(undo).area].href && userId === (as === 'caller' ? caller : friend).userId,
  );
}

export function leftoversIn(files: readonly JournalFile[], isPresent: (entry: Entry) => boolean = () => true) {
  const all = files.flatMap(({ pending, unseen, accepted }) =>
    [...pending, ...unseen].map((entry): SentChange => {
      const [isAccepted, isUndone] = [accepted.has(entry.id), unseen.includes(entry)];
      return { ...entry, isAccepted, isUndone, by: 'an earlier run' };
    }),
  );
  const fileOf = (id: string) =>
    files.find(({ pending, unseen }) => [...pending, ...unseen].some((each) => each.id === id));
  return {
    pending: files.flatMap(({ pending }) => pending).filter(isPresent),
    sent: all.filter(isPresent),
    has: (id: string): boolean => fileOf(id) !== undefined,
    note: (id: string, line: Line): void => {
      const file = fileOf(id);
      if (file) noteInFile(file.path, line);
    },
  };
}

/** A change whose undo was accepted, while nothing has shown yet that it worked; one line. */
export function unseenText({ change, undo, args, userId, at }: Entry): string {
  return `${undo} ${excerpt(JSON.stringify(args), 80)} of ${userId}, after ${at}: accepted, and nothing shows whether it worked until the same ${change} is accepted again`;
}

/** Adds a line to the journal of a run that is over; without changes, the file goes. */
export function noteInFile(path: string, line: Line): void {
  // A change that can't be struck out on a full disk is undone again by the next run, which is harmless.
  unlessFileTrouble(() => {
    // Without its torn last line, if it has one: that would take this one with it.
    const found = readText(path, fileRoles.state);
    const whole = found.slice(0, found.lastIndexOf('\n') + 1);
    // A process of another machine would seem to live, because its file changed.
    const ofNobody = whole.replace(/^\{"owner":\{[^}]*\}/, '{"owner":"nobody"');
    const text = `${ofNobody}${JSON.stringify(line)}\n`;
    const { pending, unseen, damaged } = readLines(text);
    if (pending.length + unseen.length + damaged.length === 0) remove(path, fileRoles.state);
    else replaceText(path, redact(text), fileRoles.state, { isFlushed: true });
  });
}

/** A change that can't be read can't be undone, and must not be passed over in silence. @throws FileTrouble for a damaged journal. */
export function assertJournalsWhole(environment: string): void {
  const found = readDeadJournals(environment).find(({ damaged }) => damaged.length > 0);
  if (!found) return;
  const { path, damaged } = found;
  const role = {
    what: fileRoles.state.what,
    elsewhere: `remove it with \`npx sextant undo --env ${environment} --forget\``,
  };
  const lines = `line${damaged.length === 1 ? '' : 's'} ${damaged.slice(0, 5).join(', ')}`;
  throw new FileTrouble(path, role, `is damaged in ${lines}, so a change of a run may remain`, 'Undo it by hand');
}
