import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Contents, readLines } from './entries.ts';
import { journalFolder } from './journal.ts';
import { isLive, SIGN_MS } from './owner.ts';

/** A journal on disk. */
export interface JournalFile extends Contents {
  readonly path: string;
  /** Its process still runs, so its changes are under way and none of our business. */
  readonly live: boolean;
}

/** All journals of an environment. */
export function readJournals(environment: string, now = Date.now()): JournalFile[] {
  const folder = journalFolder(environment);
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
  return names.sort().flatMap((name) => readJournal(join(folder, name), now) ?? []);
}

function readJournal(path: string, now: number): JournalFile | undefined {
  try {
    const { mtimeMs } = statSync(path);
    const contents = readLines(readFileSync(path, 'utf8'));
    // Without an owner its first line was never finished, so nothing was sent; it may be being written just now.
    const { owner } = contents;
    if (owner === undefined) return { path, live: now - mtimeMs < SIGN_MS, ...contents };
    return { path, live: owner !== 'nobody' && isLive(owner, mtimeMs, now), ...contents };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
