import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { SuiteFault } from '../../client/index.ts';
import { FileTrouble, unlessFileTrouble } from '../../config/files/index.ts';
import { undoneChange } from '../../spec/index.ts';
import type { Entry, Line } from './journal-entries.ts';
import { JournalWriter } from './journal-file.ts';
import { stateFolder } from './lock/state-folder.ts';
import { type SharedUsers, usersOf } from './lock/users-lock.ts';
import { type ReversibleChange, type SentChange, undoes } from './scope.ts';

/** The undo of a change could not be recorded, so the change was not made. */
export class JournalFailed extends SuiteFault {
  override readonly name = 'JournalFailed';
}

/** A change that a scenario or a run left behind. */
export interface Leftover extends SentChange {
  /** Notes that its undo was accepted, while no list shows yet that it worked. */
  undone(): void;
  /** Notes that it is settled. */
  strike(because: string): void;
}

export function journalFolder(environment: string): string {
  return join(stateFolder(), 'journal', environment);
}

/** One file does for a run, and for a monitor's runs of a minute: a new one costs two more flushes of the disk. */
const KEPT_WHEN_EMPTY_MS = 120_000;

interface Known {
  readonly entry: Entry;
  readonly by: object;
  isMade: boolean;
  isAccepted: boolean;
  /** Its undo was accepted, and not seen to work yet. */
  isUndone: boolean;
  /** Its scenario is over. */
  isLeft: boolean;
}

export type Journal = ReturnType<typeof newJournal>;

const journals = new Map<string, Journal>();

/** This process's undo journal for the users of an environment. */
export function journalOf(environment: SharedUsers & { readonly name: string }): Journal {
  const users = usersOf(environment);
  const key = join(journalFolder(environment.name), users);
  const journal = journals.get(key) ?? newJournal(environment.name, users);
  journals.set(key, journal);
  return journal;
}

/** The file exists while something is pending, and for a while longer. */
function newJournal(environment: string, users: string) {
  const pending = new Map<string, Known>();
  let file: JournalWriter | undefined;
  let closing: NodeJS.Timeout | undefined;

  const create = () =>
    new JournalWriter(journalFolder(environment), users, { environment }, [...pending.values()].flatMap(linesOf));

  function writer(): JournalWriter {
    clearTimeout(closing);
    if (file?.isInPlace()) return file;
    // Somebody took the file away: what is still pending must be found in the new one.
    file?.close();
    file = undefined;
    file = create();
    return file;
  }

  /** A line that is lost on a full disk means that a change is undone again later, which is harmless. */
  function note(line: Line): void {
    const noted = file;
    if (!noted) return;
    unlessFileTrouble(() => {
      if (!noted.isLong) noted.write(line);
      else if (pending.size === 0) noted.restart();
      else renew(noted);
      if (pending.size === 0) keepForNow(noted);
    });
  }

  /** A monitor may have a change that can't be undone for days, and its file must not grow all the time. */
  function renew(old: JournalWriter): void {
    const renewed = create();
    renewed.flush();
    file = renewed;
    old.discard();
  }

  function keepForNow(empty: JournalWriter): void {
    empty.isEmpty = true;
    clearTimeout(closing);
    closing = setTimeout(() => {
      file = undefined;
      empty.discard();
    }, KEPT_WHEN_EMPTY_MS).unref();
  }

  /** The undo was seen to have worked, or the change was never made. */
  function strike(id: string, because: string): void {
    if (pending.delete(id)) note({ struck: id, because });
  }

  /** The undo was accepted: it is kept until a list shows that it worked. */
  function undone(id: string): void {
    const known = pending.get(id);
    if (!known) return;
    known.isUndone = true;
    note({ undone: id });
  }

  const asSent = ({ entry, isAccepted, isUndone }: Known, by: SentChange['by']): SentChange => ({
    ...entry,
    ...{ isAccepted, isUndone, by },
  });

  /** What scenarios of this process that are over left behind, newest first. */
  const left = (): Leftover[] =>
    [...pending.values()]
      .filter(({ isLeft }) => isLeft)
      .reverse()
      .map((known) => ({
        ...asSent(known, 'another scenario'),
        undone: () => undone(known.entry.id),
        strike: (because) => strike(known.entry.id, because),
      }));

  return {
    strike,
    undone,
    left,
    has: (id: string) => pending.has(id),
    pending: (): Entry[] => [...pending.values()].map(({ entry }) => entry),

    /** When it resolves, the note survives a kill and a power cut: the change may be sent. @throws JournalFailed */
    async add(by: object, change: ReversibleChange): Promise<Entry> {
      const entry: Entry = { id: randomUUID(), ...change, at: new Date().toISOString() };
      try {
        const open = writer();
        pending.set(entry.id, { entry, by, isMade: false, isAccepted: false, isUndone: false, isLeft: false });
        await open.note({ entry });
        return entry;
      } catch (error) {
        strike(entry.id, 'not sent');
        if (!(error instanceof FileTrouble)) throw error;
        throw new JournalFailed(`${change.change} was not sent: its undo could not be written. ${error.message}`);
      }
    },

    /** The change was sent; from now on an undo that is sent may take it back. */
    made(id: string, isAccepted: boolean): void {
      const known = pending.get(id);
      if (!known) return;
      known.isMade = true;
      known.isAccepted = isAccepted;
      if (isAccepted) note({ accepted: id });
    },

    /** The changes that were sent, as the scenario `by` sees them. */
    sent: (by: object): SentChange[] =>
      [...pending.values()]
        .filter(({ isMade }) => isMade)
        .map((known) => asSent(known, known.by === by ? 'this scenario' : 'another scenario')),

    /**
     * Ends the scenario `by`: what it could not undo is left to the sweep. One of several equal changes represents all, with those that are
     * there already: while an undo is refused, each run would add some.
     */
    leave(by: object, earlier: () => readonly Leftover[] = () => []): void {
      const own = [...pending.values()].filter((known) => known.by === by && !known.isLeft);
      if (own.length === 0) return;
      const before = [...left(), ...earlier()].filter((each) => !isRedo(each));
      for (const known of own) {
        known.isLeft = true;
        if (isRedo(known.entry)) continue;
        for (const each of before.filter((other) => undoes(other, known.entry))) {
          if (each.isAccepted && !known.isAccepted) {
            known.isAccepted = true;
            note({ accepted: known.entry.id });
          }
          each.strike('left again');
        }
        const later = own.slice(own.indexOf(known) + 1).find((other) => undoes(other.entry, known.entry));
        if (!later) continue;
        later.isAccepted ||= known.isAccepted;
        strike(known.entry.id, 'left again');
      }
    },
  };
}

/** What was undone for a scenario, and is made again. */
function isRedo({ change }: ReversibleChange): boolean {
  return undoneChange(change) !== undefined;
}

function linesOf({ entry, isAccepted, isUndone }: Known): Line[] {
  const { id } = entry;
  return [{ entry }, ...(isAccepted ? [{ accepted: id }] : []), ...(isUndone ? [{ undone: id }] : [])];
}
