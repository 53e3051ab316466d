import { randomUUID } from 'node:crypto';
import { closeSync, fsync, fsyncSync, mkdirSync, openSync, rmSync, utimesSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { type ReversibleChange, redact, SuiteFault } from '../../client/index.ts';
import { stateFolder } from '../output-folders.ts';
import type { Entry, Line } from './entries.ts';
import { type Owner, SIGN_MS, thisProcess } from './owner.ts';

/** The undo of a change could not be noted, so the change was not made. */
export class JournalFailed extends SuiteFault {
  override readonly name = 'JournalFailed';
}

/** The folder of an environment's journals: one file for each process that has changes pending. */
export function journalFolder(environment: string): string {
  return join(stateFolder(), 'journal', environment);
}

interface Open {
  readonly path: string;
  readonly descriptor: number;
  readonly signs: NodeJS.Timeout;
}

/** This process's undo journal for one environment: the file is there only while something is pending. */
export class Journal {
  readonly #environment: string;
  readonly #run: string;
  readonly #pending = new Map<string, { entry: Entry; by: object; isMade: boolean }>();
  #open: Open | undefined;

  constructor(environment: string, run: string) {
    this.#environment = environment;
    this.#run = run;
  }

  /**
   * Notes a change of the scenario `by`; when this resolves, the note survives a kill and a power cut, and the change may be sent.
   * @throws JournalFailed
   */
  async add(by: object, change: ReversibleChange): Promise<Entry> {
    const entry: Entry = { id: randomUUID(), ...change, at: new Date().toISOString() };
    this.#pending.set(entry.id, { entry, by, isMade: false });
    try {
      this.#open ??= this.#create(thisProcess());
      this.#write(this.#open, { entry });
      await promisify(fsync)(this.#open.descriptor);
      return entry;
    } catch (error) {
      this.#pending.delete(entry.id);
      throw new JournalFailed(
        `${change.change} was not sent: its undo could not be written to ${journalFolder(this.#environment)} (${(error as NodeJS.ErrnoException).code ?? 'unknown'}).`,
      );
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

  /** The change is no more, or never was. */
  strike(id: string, because: string): void {
    if (!this.#pending.delete(id) || !this.#open) return;
    if (this.#pending.size > 0) {
      this.#write(this.#open, { struck: id, because });
      return;
    }
    const { path } = this.#open;
    close(this.#open);
    this.#open = undefined;
    rmSync(path, { force: true });
  }

  /** The scenario `by` is over: what it could not undo is no longer anybody's, so that the next run may. */
  leave(by: object): void {
    const left = [...this.#pending.values()].filter((known) => known.by === by).map(({ entry }) => entry);
    if (left.length === 0) return;
    const file = this.#create('nobody');
    for (const entry of left) this.#write(file, { entry });
    fsyncSync(file.descriptor);
    close(file);
    for (const { id } of left) this.strike(id, 'left');
  }

  #create(owner: Owner | 'nobody'): Open {
    const folder = journalFolder(this.#environment);
    mkdirSync(folder, { recursive: true });
    const path = join(folder, `${process.pid}-${randomUUID()}.jsonl`);
    const descriptor = openSync(path, 'a', 0o600);
    const signs = setInterval(() => utimesSync(path, new Date(), new Date()), SIGN_MS / 4).unref();
    const open = { path, descriptor, signs };
    this.#write(open, { owner, environment: this.#environment, run: this.#run });
    for (const each of [folder, dirname(folder)]) syncFolder(each);
    return open;
  }

  #write({ descriptor }: Open, line: Line): void {
    writeSync(descriptor, redact(`${JSON.stringify(line)}\n`));
  }
}

function close({ descriptor, signs }: Open): void {
  clearInterval(signs);
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
