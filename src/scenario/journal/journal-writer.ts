import { randomUUID } from 'node:crypto';
import { closeSync, fstatSync, fsync, fsyncSync, ftruncateSync, openSync, statSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { redact } from '../../client/index.ts';
import { FileTrouble, fileRoles, guarded, makeFolder, remove } from '../../config/files/index.ts';
import type { Line, OwnerLine } from './entries.ts';
import { signsOfLife } from './signs-of-life.ts';

/** Paths of the journals that this process owns and has open. */
const own = new Set<string>();

/** Whether a journal is this process's own, and so neither dead nor to be undone. */
export function isOwnJournal(path: string): boolean {
  return own.has(path);
}

/** Writers whose file is empty but for its first line: nothing is lost when it goes with the process. */
const empty = new Set<JournalWriter>();

/** An open journal. Its first line names its owner. Every method throws FileTrouble. */
export class JournalWriter {
  readonly #path: string;
  readonly #descriptor: number;
  readonly #signs: { end(): void };
  #made: { readonly ino: number; readonly dev: number } | undefined;
  /** Bytes of the first line. */
  readonly #head: number;
  /** Bytes that are written for certain. */
  #length = 0;
  #underWay: Promise<void> | undefined;
  /** For the lines that were written since that one began. */
  #next: Promise<void> | undefined;
  #isOpen = true;

  /** Makes a new file in `folder`, which survives a power cut. */
  constructor(folder: string, owner: OwnerLine) {
    makeFolder(folder, fileRoles.journal);
    const path = join(folder, `${process.pid}-${randomUUID()}.jsonl`);
    this.#path = path;
    this.#descriptor = guarded(path, fileRoles.journal, 'written', () => openSync(path, 'a', 0o600));
    this.#signs = signsOfLife(path);
    if (owner.owner !== 'nobody') own.add(path);
    try {
      this.write(owner);
      this.#head = this.#length;
      syncFolder(folder);
      syncFolder(dirname(folder));
    } catch (error) {
      // On a full disk each change would leave an open file behind, until none can be opened any more.
      this.discard();
      throw error;
    }
  }

  /** Half a line, which would spoil the next one, is taken away again. */
  write(line: Line): void {
    empty.delete(this);
    const bytes = Buffer.from(redact(`${JSON.stringify(line)}\n`));
    guarded(this.#path, fileRoles.journal, 'written', () => {
      try {
        const written = writeSync(this.#descriptor, bytes);
        if (written < bytes.length) throw Object.assign(new Error('short write'), { code: 'ENOSPC' });
        this.#length += written;
      } catch (error) {
        ftruncateSync(this.#descriptor, this.#length);
        throw error;
      }
    });
  }

  /** Writes a line, and is done when it survives a power cut. Lines that are written during a flush share the next one. */
  note(line: Line): Promise<void> {
    this.write(line);
    if (!this.#underWay) return this.#startFlush();
    // The flush under way began before this line was written.
    this.#next ??= this.#underWay
      .catch(() => {})
      .then(() => {
        this.#next = undefined;
        return this.#startFlush();
      });
    return this.#next;
  }

  #startFlush(): Promise<void> {
    const flush = new Promise<void>((resolve, reject) => {
      fsync(this.#descriptor, (error) => {
        if (!this.#next) this.#underWay = undefined;
        if (error) reject(error);
        else resolve();
      });
    });
    this.#underWay = flush;
    return flush;
  }

  flush(): void {
    fsyncSync(this.#descriptor);
  }

  /** Takes all but the first line away. */
  empty(): void {
    guarded(this.#path, fileRoles.journal, 'written', () => ftruncateSync(this.#descriptor, this.#head));
    this.#length = this.#head;
    if (!isWatched) process.once('exit', discardEmptyJournals);
    isWatched = true;
    empty.add(this);
  }

  /** Whether what is written still arrives in the file of that name. */
  isInPlace(): boolean {
    if (!this.#isOpen) return false;
    const found = statSync(this.#path, { throwIfNoEntry: false });
    this.#made ??= fstatSync(this.#descriptor);
    return found?.ino === this.#made.ino && found.dev === this.#made.dev;
  }

  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    empty.delete(this);
    own.delete(this.#path);
    this.#signs.end();
    closeSync(this.#descriptor);
  }

  /** Closes it, and takes the file away. One that can't be taken away has nothing pending for the next run. */
  discard(): void {
    if (!this.#isOpen) return;
    this.close();
    try {
      remove(this.#path, fileRoles.journal);
    } catch (error) {
      if (!(error instanceof FileTrouble)) throw error;
    }
  }
}

let isWatched = false;

/**
 * Closes this process's journals that have nothing pending, and takes their files away: at its end, and before a folder goes that
 * they are in. The set changes while it is walked.
 */
export function discardEmptyJournals(): void {
  for (const writer of [...empty]) writer.discard();
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
