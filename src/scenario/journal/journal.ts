import { randomUUID } from 'node:crypto';
import { closeSync, fsync, fsyncSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { type ReversibleChange, redact, SuiteFault } from '../../client/index.ts';
import { FileTrouble, fileRoles, guarded, makeFolder, remove } from '../../config/files/index.ts';
import { stateFolder } from '../output-folders.ts';
import type { Entry, Line } from './entries.ts';
import { lockIsFree } from './file-lock.ts';
import { type Owner, thisProcess } from './owner.ts';
import { signsOfLife } from './signs-of-life.ts';

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

interface Open {
  readonly path: string;
  readonly descriptor: number;
  readonly signs: { end(): void };
  /** Bytes that are written for certain. */
  length: number;
}

/** This process's undo journal for one environment: the file exists only while something is pending. */
export class Journal {
  readonly #environment: string;
  readonly #run: string;
  readonly #pending = new Map<string, { entry: Entry; by: object; isMade: boolean }>();
  #open: Open | undefined;
  /** The folder's own name has been written to the disk. */
  #isFolderKept = false;

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
    this.#pending.set(entry.id, { entry, by, isMade: false });
    try {
      this.#open ??= this.#create(thisProcess());
      this.#write(this.#open, { entry });
      await promisify(fsync)(this.#open.descriptor);
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
    if (!this.#pending.delete(id) || !this.#open) return;
    if (this.#pending.size > 0) {
      try {
        this.#write(this.#open, { struck: id, because });
      } catch (error) {
        // An entry that can't be removed on a full disk is undone again later, which is harmless.
        if (!(error instanceof FileTrouble)) throw error;
      }
      return;
    }
    const { path } = this.#open;
    close(this.#open);
    this.#open = undefined;
    remove(path, fileRoles.journal);
  }

  /** The scenario `by` is done: what it could not undo is released, so that the next run can undo it. */
  leave(by: object): void {
    const left = [...this.#pending.values()].filter((known) => known.by === by).map(({ entry }) => entry);
    if (left.length === 0) return;
    try {
      const file = this.#create('nobody');
      try {
        for (const entry of left) this.#write(file, { entry });
        fsyncSync(file.descriptor);
      } finally {
        close(file);
      }
    } catch (error) {
      // They stay in this process's own file, and are undone when it has ended.
      if (error instanceof FileTrouble) return;
      throw error;
    }
    for (const { id } of left) this.strike(id, 'left');
  }

  #create(owner: Owner | 'nobody'): Open {
    const folder = journalFolder(this.#environment);
    makeFolder(folder, fileRoles.journal);
    const path = join(folder, `${process.pid}-${randomUUID()}.jsonl`);
    const descriptor = guarded(path, fileRoles.journal, 'written', () => openSync(path, 'a', 0o600));
    const open = { path, descriptor, signs: signsOfLife(path), length: 0 };
    try {
      this.#write(open, { owner, environment: this.#environment, run: this.#run });
      syncFolder(folder);
      if (!this.#isFolderKept) syncFolder(dirname(folder));
      this.#isFolderKept = true;
      return open;
    } catch (error) {
      // On a full disk each change would leave an open file behind, until none can be opened any more.
      close(open);
      remove(path, fileRoles.journal);
      throw error;
    }
  }

  /** @throws FileTrouble; half a line, which would spoil the next one, is taken away again. */
  #write(open: Open, line: Line): void {
    const { path, descriptor } = open;
    const bytes = Buffer.from(redact(`${JSON.stringify(line)}\n`));
    guarded(path, fileRoles.journal, 'written', () => {
      try {
        const written = writeSync(descriptor, bytes);
        if (written < bytes.length) throw Object.assign(new Error('short write'), { code: 'ENOSPC' });
        open.length += written;
      } catch (error) {
        ftruncateSync(descriptor, open.length);
        throw error;
      }
    });
  }
}

function close({ descriptor, signs }: Open): void {
  signs.end();
  closeSync(descriptor);
}

/** A new file's name survives a power cut only when its folder was written too. Windows does so by itself. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
