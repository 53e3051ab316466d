import { randomUUID } from 'node:crypto';
import { closeSync, fsync, fsyncSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileTrouble } from '../environment/files/file-trouble.ts';
import {
  appendText,
  fileRoles,
  guarded,
  isThere,
  makeFolder,
  readTextIfAny,
  remove,
  replaceText,
  unlessFileTrouble,
} from '../environment/files/index.ts';
import { type Named, stateName } from '../environment/index.ts';
import { redact } from '../redaction/index.ts';
import { type Line, readLines } from './journal-lines.ts';
import { stateFolder } from './lock/state-folder.ts';

export function journalFolder(environment: Named): string {
  return join(stateFolder(), 'journal', stateName(environment));
}

const open = new Set<string>();

/** Whether a scenario of this process is still writing a journal. */
export function isUnderWay(path: string): boolean {
  return open.has(path);
}

/** A journal on disk, one note per line. Its name begins with the hash of the users. Every method throws FileTrouble. */
export class JournalFile {
  readonly #path: string;
  readonly #descriptor: number;
  #length = 0;

  /** Creates the file and flushes its folders, so that its name survives a power cut. */
  constructor(folder: string, users: string) {
    makeFolder(folder, fileRoles.state);
    this.#path = join(folder, `${users}-${randomUUID()}.jsonl`);
    this.#descriptor = this.#writing(() => openSync(this.#path, 'wx', 0o600));
    open.add(this.#path);
    try {
      this.#writing(() => [folder, dirname(folder)].forEach(syncFolder));
    } catch (error) {
      this.close(false);
      throw error;
    }
  }

  /** False if somebody has removed the file. */
  get isThere(): boolean {
    return isThere(this.#path, fileRoles.state);
  }

  /** Appends a line. If the disk is full, cuts off the part that was written, so that the next line doesn't continue it. */
  write(line: Line): void {
    if (!open.has(this.#path)) {
      noteInFile(this.#path, line);
      return;
    }
    const text = `${JSON.stringify(line)}\n`;
    // Only an entry holds texts from outside. The other lines hold ids that this process made up.
    const bytes = Buffer.from('entry' in line ? redact(text) : text);
    this.#writing(() => {
      try {
        const written = writeSync(this.#descriptor, bytes, 0, bytes.length, this.#length);
        if (written < bytes.length) throw Object.assign(new Error('short write'), { code: 'ENOSPC' });
        this.#length += written;
      } catch (error) {
        ftruncateSync(this.#descriptor, this.#length);
        throw error;
      }
    });
  }

  flush(): Promise<void> {
    return new Promise((resolve, reject) => {
      fsync(this.#descriptor, (error) =>
        error ? reject(fileTrouble(error, this.#path, fileRoles.state, 'written')) : resolve(),
      );
    });
  }

  close(isKept: boolean): void {
    if (!open.delete(this.#path)) return;
    closeSync(this.#descriptor);
    if (!isKept) unlessFileTrouble(() => remove(this.#path, fileRoles.state));
  }

  #writing<T>(work: () => T): T {
    return guarded(this.#path, fileRoles.state, 'written', work);
  }
}

/**
 * The journal files that the scenarios of a run hand on to each other. Without it, every scenario would create a file, flush its folders and
 * remove it. A scenario that takes over a file finds nothing to undo in it.
 */
export class JournalFiles {
  readonly #free: JournalFile[] = [];
  #isClean = false;

  /** The changes that earlier scenarios and runs left. Reads the folder again only if something may be left. */
  left<T>(find: () => readonly T[]): readonly T[] {
    const found = this.#isClean ? [] : find();
    this.#isClean = found.length === 0;
    return found;
  }

  take(folder: string, users: string): JournalFile {
    for (let file = this.#free.pop(); file; file = this.#free.pop()) {
      if (file.isThere) return file;
      file.close(true);
    }
    return new JournalFile(folder, users);
  }

  /** Takes back the file of a scenario that has ended. `isKept`: the scenario left something to undo. */
  giveBack(file: JournalFile, isKept: boolean): void {
    if (!isKept) return void this.#free.push(file);
    file.close(true);
    this.#isClean = false;
  }

  /** Removes the files. Called when no scenario of the run needs a file any more. */
  end(): void {
    for (const file of this.#free.splice(0)) file.close(false);
  }
}

/** A journal with more characters than this is rewritten without repeated notes. */
const LONG = 10_000;

/**
 * Adds a line to a journal whose scenario has ended, and removes the file once no change is left in it. Lines about an undo that was sent are
 * appended without a flush: they survive a kill, but perhaps not a power cut.
 */
export function noteInFile(path: string, line: Line): void {
  // If a full disk keeps the line from being written, the next run undoes the change again.
  unlessFileTrouble(() => {
    const found = readTextIfAny(path, fileRoles.state);
    if (found === undefined) return;
    const own = `${JSON.stringify(line)}\n`;
    if (!('struck' in line || 'undone' in line))
      if (found.endsWith('\n') && found.length < LONG) return appendText(path, redact(own), fileRoles.state);
    // Drops a torn last line, because the new line would be appended to it.
    const lines = found.slice(0, found.lastIndexOf('\n') + 1).split(/(?<=\n)/);
    const sameState = own.slice(0, own.search(/[,}]/));
    const text = [...lines.filter((each) => !each.startsWith(sameState)), own].join('');
    const { pending, damaged } = readLines(text);
    if (pending.length + damaged.length === 0) remove(path, fileRoles.state);
    else replaceText(path, redact(text), fileRoles.state, { isFlushed: true });
  });
}

/** The name of a new file survives a power cut only if its folder was flushed, too. Windows flushes folders without being asked. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
