import { statSync } from 'node:fs';
import { join } from 'node:path';
import { fileRoles, guarded, listFolder, readTextIfAny } from '../../config/files/index.ts';
import { type Contents, readLines } from './entries.ts';
import { journalFolder } from './journal.ts';
import { isLive, SIGN_MS } from './owner.ts';

/** A journal on disk. */
export interface JournalFile extends Contents {
  readonly path: string;
  /** Its process is still running, so its changes are left alone. */
  readonly live: boolean;
}

/** All journals of an environment. */
export function readJournals(environment: string, now = Date.now()): JournalFile[] {
  const folder = journalFolder(environment);
  const names = listFolder(folder, fileRoles.journal).filter((name) => name.endsWith('.jsonl'));
  return names.sort().flatMap((name) => readJournal(join(folder, name), now) ?? []);
}

function readJournal(path: string, now: number): JournalFile | undefined {
  const text = readTextIfAny(path, fileRoles.journal);
  const mtimeMs = guarded(path, fileRoles.journal, 'read', () => statSync(path, { throwIfNoEntry: false })?.mtimeMs);
  // Its process has just ended and taken it away.
  if (text === undefined || mtimeMs === undefined) return undefined;
  const contents = readLines(text);
  // Without an owner its first line was never finished, so nothing was sent; it may be being written just now.
  const { owner, damaged } = contents;
  if (owner === undefined) return { path, live: damaged.length === 0 && now - mtimeMs < SIGN_MS, ...contents };
  return { path, live: owner !== 'nobody' && isLive(owner, mtimeMs, now), ...contents };
}
