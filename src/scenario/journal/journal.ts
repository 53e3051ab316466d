import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { type ReversibleChange, SuiteFault } from '../../client/index.ts';
import { FileTrouble } from '../../config/files/index.ts';
import { stateFolder } from '../output-folders.ts';
import type { Entry, Line } from './entries.ts';
import { lockIsFree } from './file-lock.ts';
import { JournalWriter } from './journal-writer.ts';
import { type Owner, thisProcess } from './owner.ts';

/** The undo of a change could not be recorded, so the change was not made. */
export class JournalFailed extends SuiteFault {
  override readonly name = 'JournalFailed';
}

/** The folder of an environment's journals: one file per process with pending changes. */
export function journalFolder(environment: string): string {
  return join(stateFolder(), 'journal', environment);
}

/** Held by who undoes what runs left behind in an environment. */
export function undoLock(environment: string): string {
  return join(journalFolder(environment), 'undo.lock');
}

/** An undo that takes longer waits for a service that doesn't answer. */
const LONGEST_UNDO_MS = 60_000;

/** Long enough for one file to do for all scenarios of a run: a new one costs two more flushes of the disk. */
const KEPT_WHEN_EMPTY_MS = 2_000;

/** A file that is wanted again so soon is kept for as long: a monitor's runs of a minute would make a new one each. */
const KEPT_BETWEEN_RUNS_MS = 120_000;

/** This process's undo journal for one environment: the file exists while something is pending, and for a while longer. */
export class Journal {
  readonly #environment: string;
  readonly #run: string;
  readonly #pending = new Map<string, { entry: Entry; by: object; isMade: boolean }>();
  #file: JournalWriter | undefined;
  #closing: NodeJS.Timeout | undefined;
  /** When the last file was taken away; monotonic, in ms. */
  #discardedAt = Number.NEGATIVE_INFINITY;
  #keepMs = KEPT_WHEN_EMPTY_MS;

  constructor(environment: string, run: string) {
    this.#environment = environment;
    this.#run = run;
  }

  /**
   * Notes a change of the scenario `by`; when this resolves, the note survives a kill and a power cut, no other process is undoing the same,
   * and the change may be sent.
   * @throws JournalFailed
   */
  async add(by: object, change: ReversibleChange): Promise<Entry> {
    const entry: Entry = { id: randomUUID(), ...change, at: new Date().toISOString() };
    try {
      const file = this.#writer();
      this.#pending.set(entry.id, { entry, by, isMade: false });
      await file.note({ entry });
      // Whoever undoes looks at the notes after taking the lock, and here the lock is looked at after the note is made: one of
      // the two sees the other, so no undo arrives after the change that it knew nothing of.
      await lockIsFree(undoLock(this.#environment), LONGEST_UNDO_MS);
      return entry;
    } catch (error) {
      this.strike(entry.id, 'not sent');
      const { code = 'unknown', message } = error as NodeJS.ErrnoException;
      const why = error instanceof FileTrouble ? message : `${journalFolder(this.#environment)} (${code})`;
      throw new JournalFailed(`${change.change} was not sent: its undo could not be written. ${why}`);
    }
  }

  /** The change was sent; from now on an undo that is sent may take it back. */
  made(id: string): void {
    const known = this.#pending.get(id);
    if (known) known.isMade = true;
  }

  /** The changes that were made and that match. */
  findMade(matches: (entry: Entry) => boolean): Entry[] {
    return [...this.#pending.values()]
      .filter(({ entry, isMade }) => isMade && matches(entry))
      .map(({ entry }) => entry);
  }

  /** The change is undone, or was never made. */
  strike(id: string, because: string): void {
    if (!this.#pending.delete(id) || !this.#file) return;
    try {
      const line = { struck: id, because };
      if (this.#pending.size > 0) this.#file.write(line);
      else this.#empty(this.#file, line);
    } catch (error) {
      // An entry that can't be removed on a full disk is undone again later, which is harmless.
      if (!(error instanceof FileTrouble)) throw error;
    }
  }

  /** The scenario `by` is done: what it could not undo is released, so that the next run can undo it. */
  leave(by: object): void {
    const left = [...this.#pending.values()].filter((known) => known.by === by).map(({ entry }) => entry);
    if (left.length === 0) return;
    try {
      const file = this.#create('nobody');
      try {
        for (const entry of left) file.write({ entry });
        file.flush();
      } finally {
        file.close();
      }
    } catch (error) {
      // They stay in this process's own file, and are undone when it has ended.
      if (error instanceof FileTrouble) return;
      throw error;
    }
    for (const { id } of left) this.strike(id, 'left');
  }

  #writer(): JournalWriter {
    clearTimeout(this.#closing);
    if (this.#file?.isInPlace()) return this.#file;
    // Somebody took the file away: what is still pending must be found in the new one.
    this.#file?.close();
    this.#file = undefined;
    if (performance.now() - this.#discardedAt < KEPT_BETWEEN_RUNS_MS) this.#keepMs = KEPT_BETWEEN_RUNS_MS;
    const file = this.#create(thisProcess());
    try {
      for (const { entry } of this.#pending.values()) file.write({ entry });
    } catch (error) {
      file.discard();
      throw error;
    }
    this.#file = file;
    return file;
  }

  #create(owner: Owner | 'nobody'): JournalWriter {
    return new JournalWriter(journalFolder(this.#environment), {
      owner,
      environment: this.#environment,
      run: this.#run,
    });
  }

  #empty(file: JournalWriter, last: Line): void {
    file.empty(last);
    clearTimeout(this.#closing);
    this.#closing = setTimeout(() => {
      this.#file = undefined;
      this.#discardedAt = performance.now();
      file.discard();
    }, this.#keepMs).unref();
  }
}
