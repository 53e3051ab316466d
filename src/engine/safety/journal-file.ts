import { randomUUID } from 'node:crypto';
import { closeSync, fstatSync, fsync, fsyncSync, ftruncateSync, openSync, statSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { redact } from '../../client/index.ts';
import { fileTrouble } from '../../config/files/file-trouble.ts';
import { fileRoles, guarded, makeFolder, remove, unlessFileTrouble } from '../../config/files/index.ts';
import type { Line } from './journal-entries.ts';

const open = new Set<JournalWriter>();

/** Whether a journal is this process's own, whose changes it has in its memory. */
export function isOwnJournal(path: string): boolean {
  return [...open].some((writer) => writer.path === path);
}

/** Blanks for the next lines, which readers ignore: to flush a line that makes the file longer, the disk writes three times as much. */
const ROOM = Buffer.alloc(16_384, ' ');

/** The length in bytes from which on a journal begins anew as soon as it can. */
const LONG = 12_288;

/** An open journal; its name begins with whose users it is about. Every method throws FileTrouble. */
export class JournalWriter {
  readonly path: string;
  /** Nothing is pending in it, so nothing is lost when it goes with the process. */
  isEmpty = false;
  readonly #descriptor: number;
  readonly #made: { readonly ino: number; readonly dev: number };
  readonly #head: number;
  /** Bytes that are written for certain; behind them are blanks. */
  #length = 0;
  #size = 0;

  /** Makes a new file in `folder`, whose name survives a power cut. */
  constructor(folder: string, users: string, head: Line, lines: readonly Line[]) {
    makeFolder(folder, fileRoles.state);
    const path = join(folder, `${users}-${process.pid}-${randomUUID()}.jsonl`);
    this.path = path;
    this.#descriptor = guarded(path, fileRoles.state, 'written', () => openSync(path, 'wx', 0o600));
    open.add(this);
    try {
      this.write(head, ...lines);
      this.#head = textOf([head]).length;
      this.#made = guarded(path, fileRoles.state, 'written', () => {
        syncFolder(folder);
        syncFolder(dirname(folder));
        return fstatSync(this.#descriptor);
      });
    } catch (error) {
      // On a full disk each change would leave an open file behind, until none can be opened any more.
      this.discard();
      throw error;
    }
  }

  /** Half a line, which would spoil the next one, is taken away again. */
  write(...lines: readonly Line[]): void {
    this.isEmpty = false;
    const text = textOf(lines);
    const end = this.#length + text.length;
    const bytes = end > this.#size ? Buffer.concat([text, ROOM]) : text;
    guarded(this.path, fileRoles.state, 'written', () => {
      try {
        const written = writeSync(this.#descriptor, bytes, 0, bytes.length, this.#length);
        if (written < bytes.length) throw Object.assign(new Error('short write'), { code: 'ENOSPC' });
        this.#size = Math.max(this.#size, this.#length + written);
        this.#length = end;
      } catch (error) {
        this.#shorten(this.#length);
        throw error;
      }
    });
  }

  note(line: Line): Promise<void> {
    this.write(line);
    return new Promise((resolve, reject) => {
      fsync(this.#descriptor, (error) =>
        error ? reject(fileTrouble(error, this.path, fileRoles.state, 'written')) : resolve(),
      );
    });
  }

  flush(): void {
    guarded(this.path, fileRoles.state, 'written', () => fsyncSync(this.#descriptor));
  }

  get isLong(): boolean {
    return this.#length >= LONG;
  }

  /** Takes away the lines of changes that are all settled. */
  restart(): void {
    guarded(this.path, fileRoles.state, 'written', () => this.#shorten(this.#head));
  }

  #shorten(length: number): void {
    ftruncateSync(this.#descriptor, length);
    this.#length = length;
    this.#size = length;
  }

  /** Whether what is written still arrives in the file of that name. */
  isInPlace(): boolean {
    if (!open.has(this)) return false;
    const found = guarded(this.path, fileRoles.state, 'read', () => statSync(this.path, { throwIfNoEntry: false }));
    return found?.ino === this.#made.ino && found.dev === this.#made.dev;
  }

  close(): void {
    if (!open.delete(this)) return;
    closeSync(this.#descriptor);
  }

  /** Closes it, and takes the file away. One that can't be taken away has nothing pending for the next run. */
  discard(): void {
    if (!open.has(this)) return;
    this.close();
    unlessFileTrouble(() => remove(this.path, fileRoles.state));
  }
}

process.once('exit', () => discardJournals(({ isEmpty }) => isEmpty));

/** Closes journals of this process, all by default, and takes their files away: before a folder goes that they are in. */
export function discardJournals(which: (writer: JournalWriter) => boolean = () => true): void {
  for (const writer of [...open].filter(which)) writer.discard();
}

function textOf(lines: readonly Line[]): Buffer {
  return Buffer.from(lines.map((line) => redact(`${JSON.stringify(line)}\n`)).join(''));
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
