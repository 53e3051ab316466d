import { join } from 'node:path';
import { fileRoles, listFolder, readTextIfAny } from '../../config/files/index.ts';
import { type Contents, readLines } from './entries.ts';
import { journalFolder } from './journal.ts';
import { isOwnJournal } from './journal-writer.ts';
import { type Life, lifeOf, signOf } from './signs-of-life.ts';

export interface JournalFile extends Contents {
  readonly path: string;
  readonly life: Life;
  /** Its process may still run, so its changes are left alone. */
  readonly live: boolean;
}

export function readJournals(environment: string): JournalFile[] {
  return journalsOf(environment).flatMap((path) => readJournal(path) ?? []);
}

/** The journals of dead processes and finished scenarios. This process's own isn't even read: it is asked before each scenario. */
export function readDeadJournals(environment: string): JournalFile[] {
  const others = journalsOf(environment).filter((path) => !isOwnJournal(path));
  return others.flatMap((path) => readJournal(path) ?? []).filter(({ live }) => !live);
}

function journalsOf(environment: string): string[] {
  const folder = journalFolder(environment);
  const names = listFolder(folder, fileRoles.journal).filter((name) => name.endsWith('.jsonl'));
  return names.sort().map((name) => join(folder, name));
}

function readJournal(path: string): JournalFile | undefined {
  const text = readTextIfAny(path, fileRoles.journal);
  const sign = signOf(path, fileRoles.journal);
  // Its process has just ended and taken it away.
  if (text === undefined || sign === undefined) return undefined;
  const contents = readLines(text);
  const { owner, damaged } = contents;
  const life = (): Life => {
    if (owner === 'nobody') return 'dead';
    // Without an owner its first line was never finished, so nothing was sent; it may be being written just now.
    return owner || damaged.length === 0 ? lifeOf(path, owner, sign) : 'dead';
  };
  const found = life();
  return { path, life: found, live: found !== 'dead', ...contents };
}
