import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { type ReversibleChange, type SentChange, SuiteFault, undoes } from '../../client/index.ts';
import { FileTrouble, unlessFileTrouble } from '../../config/files/index.ts';
import { operation, undoneChange } from '../../spec/index.ts';
import { stateFolder } from '../state/output-folders.ts';
import type { Entry, Line } from './entries.ts';
import { lockIsFree } from './file-lock.ts';
import { JournalWriter } from './journal-writer.ts';
import { type Owner, thisProcess } from './owner.ts';

/** The undo of a change could not be recorded, so the change was not made. */
export class JournalFailed extends SuiteFault {
  override readonly name = 'JournalFailed';
}

export function journalFolder(environment: string): string {
  return join(stateFolder(), 'journal', environment);
}

/** Held by who undoes what runs left behind in an environment. */
export function undoLock(environment: string): string {
  return join(journalFolder(environment), 'undo.lock');
}

/** An undo that takes longer waits for a service that doesn't answer. */
const LONGEST_UNDO_MS = 60_000;

/** One file does for a run, and for a monitor's runs of a minute: a new one costs two more flushes of the disk. */
const KEPT_WHEN_EMPTY_MS = 120_000;

interface Known {
  readonly entry: Entry;
  readonly by: object;
  isMade: boolean;
  isAccepted: boolean;
  /** Its undo was accepted, and not seen to work yet. */
  isUndone: boolean;
}

/** What scenarios and runs that are over left behind. */
type Earlier = { readonly sent: readonly SentChange[]; readonly note: (id: string, line: Line) => void };

export type Journal = ReturnType<typeof journalOf>;

/** This process's undo journal for one environment: the file exists while something is pending, and for a while longer. */
export function journalOf(environment: string, run: string) {
  const pending = new Map<string, Known>();
  let file: JournalWriter | undefined;
  let closing: NodeJS.Timeout | undefined;

  const create = (owner: Owner | 'nobody', known: Iterable<Known>) =>
    new JournalWriter(journalFolder(environment), { owner, environment, run }, [...known].flatMap(linesOf));

  function writer(): JournalWriter {
    clearTimeout(closing);
    if (file?.isInPlace()) return file;
    // Somebody took the file away: what is still pending must be found in the new one.
    file?.close();
    file = undefined;
    file = create(thisProcess(), pending.values());
    return file;
  }

  /** A line that is lost on a full disk means that a change is undone again later, which is harmless. */
  function note(line: Line): void {
    const noted = file;
    if (!noted) return;
    const left = [...pending.values()];
    unlessFileTrouble(() => {
      // A monitor always has some of these, and its file must not grow for ever.
      if (noted.isLong && left.every(({ isUndone }) => isUndone)) noted.restart(left.flatMap(linesOf));
      else noted.write(line);
      if (left.length === 0) keepForNow(noted);
    });
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

  return {
    strike,
    has: (id: string) => pending.has(id),
    isIn: (path: string) => path === file?.path,
    /** The changes that its file has as not undone. */
    pending: (): Entry[] => [...pending.values()].flatMap(({ entry, isUndone }) => (isUndone ? [] : entry)),

    /** When it resolves, the note survives a kill and a power cut, nobody is undoing the same: it may be sent. @throws JournalFailed */
    async add(by: object, change: ReversibleChange): Promise<Entry> {
      const entry: Entry = { id: randomUUID(), ...change, at: new Date().toISOString() };
      try {
        const open = writer();
        pending.set(entry.id, { entry, by, isMade: false, isAccepted: false, isUndone: false });
        await open.note({ entry });
        // A process that undoes reads the notes after taking the lock, and here the lock is read after the note is made: one of
        // the two sees the other, so no undo arrives after the change that it knew nothing of.
        await lockIsFree(undoLock(environment), LONGEST_UNDO_MS);
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

    /** The undo was accepted: it is kept until something shows that it worked, but no longer undone by the next run. */
    undone(id: string): void {
      const known = pending.get(id);
      if (!known) return;
      known.isUndone = true;
      note({ undone: id });
    },

    /** The changes that were sent, as the scenario `by` sees them. */
    sent: (by: object): SentChange[] =>
      [...pending.values()].flatMap(({ entry, isMade, isAccepted, isUndone, by: own }) =>
        isMade ? { ...entry, isAccepted, isUndone, by: own === by ? 'this scenario' : 'another scenario' } : [],
      ),

    /**
     * Releases to the next run what the scenario `by` could not undo, and what a list should have shown to be gone. One of several equal
     * changes stands for all, with those that are there already: while an undo is refused, each run would add some.
     */
    leave(by: object, earlier: () => Earlier = () => ({ sent: [], note: () => {} })): void {
      const own = [...pending.values()].filter(
        (known) => known.by === by && (!known.isUndone || operation(known.entry.change).shownBy !== undefined),
      );
      if (own.length === 0) return;
      const { sent, note: noteEarlier } = earlier();
      const all = [...own.map(({ entry, isAccepted }) => ({ ...entry, isAccepted })), ...sent];
      const left = own
        .filter(({ entry }, at) => isRedo(entry) || !own.slice(at + 1).some((later) => undoes(later.entry, entry)))
        .map(({ entry, ...known }) => {
          const isAccepted = all.some((each) => each.isAccepted && undoes(each, entry));
          return { ...known, entry, isAccepted, isUndone: false };
        });
      const isReleased = unlessFileTrouble(() => {
        const released = create('nobody', left);
        try {
          released.flush();
        } catch (error) {
          // It would be undone by the next run, and again when this process has ended.
          released.discard();
          throw error;
        }
        released.close();
        return true;
      });
      // Otherwise they stay in this process's own file, and are undone when it has ended.
      if (!isReleased) return;
      for (const { entry } of own) strike(entry.id, 'left');
      for (const each of sent)
        if (!isRedo(each) && left.some(({ entry }) => undoes(each, entry)))
          noteEarlier(each.id, { struck: each.id, because: 'left again' });
    },
  };
}

/** What was undone for a scenario, and is made again: a call that is still under way may yet find that it was never there. */
function isRedo({ change }: ReversibleChange): boolean {
  return undoneChange(change) !== undefined;
}

function linesOf({ entry, isAccepted, isUndone }: Known): Line[] {
  const { id } = entry;
  return [{ entry }, ...(isAccepted ? [{ accepted: id }] : []), ...(isUndone ? [{ undone: id }] : [])];
}
