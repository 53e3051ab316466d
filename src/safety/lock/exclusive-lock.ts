import { randomUUID } from 'node:crypto';
import { accessSync, constants } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import {
  type FileRole,
  FileTrouble,
  fileRoles,
  guarded,
  isLink,
  makeFolder,
  refuseSpecial,
  remove,
} from '../../environment/files/index.ts';

/** The wait between two looks at a lock, in ms. It grows with the time that was waited: many that wait must not starve the one that works. */
const FIRST_POLL_MS = 50;
const LONGEST_POLL_MS = 1_000;
/** SQLite's result code where another connection holds the file. */
const BUSY = 5;

export type Release = () => void;

/**
 * Takes the lock of a file; `undefined` where somebody holds it. The operating system keeps the lock, which ends with
 * its process, even a killed one. A copy of the file is not locked. Containers that share a volume see each other's
 * locks. @throws FileTrouble
 */
export function tryLock(path: string, role: FileRole = fileRoles.state): Release | undefined {
  makeFolder(dirname(path), role);
  // Not opened to look: POSIX takes a lock from a process that closes the file, however often it has it open.
  guarded(path, role, 'written', () => {
    // SQLite follows a link, and would change the database behind it.
    if (isLink(path, role))
      throw new FileTrouble(path, role, 'is a link, and a lock must be a file of its own', 'Remove it', 'LINK');
    // SQLite locks nothing in a file that it can only read.
    if (refuseSpecial(path, role) !== undefined) accessSync(path, constants.W_OK);
  });
  const found = lockFile(path, role);
  if (found === 'held') assertLocksIn(dirname(path), role);
  return found === 'held' ? undefined : found;
}

const lockable = new Set<string>();

/** SQLite says of a folder without locks, such as NFS without its daemon, what it says of a file that somebody holds. @throws FileTrouble */
function assertLocksIn(folder: string, role: FileRole): void {
  if (lockable.has(folder)) return;
  const own = join(folder, `${randomUUID()}.sqlite`);
  const found = lockFile(own, role);
  if (found !== 'held') found();
  remove(own, role);
  if (found === 'held')
    throw new FileTrouble(folder, role, 'is on a file system that locks no files', 'Use a local disk', 'ENOLCK');
  lockable.add(folder);
}

function lockFile(path: string, role: FileRole): Release | 'held' {
  // Loaded here: Playwright's loader can't, and most commands take no lock.
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
  let db: InstanceType<typeof DatabaseSync> | undefined;
  try {
    db = new DatabaseSync(path, { timeout: 0 });
    // Nothing is ever written, so a journal on the disk would only cost its creation and removal.
    db.exec('PRAGMA journal_mode = MEMORY; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
  } catch (error) {
    db?.close();
    const { errcode, message } = error as { readonly errcode?: number; readonly message: string };
    if (((errcode ?? 0) & 0xff) === BUSY) return 'held';
    if (typeof errcode !== 'number') throw error;
    throw new FileTrouble(path, role, `can't be locked: ${message}`, 'Check the disk, and remove the file', 'SQLITE');
  }
  const held = db;
  return () => {
    if (held.isOpen) held.close();
  };
}

export interface Waiting {
  readonly signal?: AbortSignal | undefined;
  /** Called each time that the lock is found taken, with how long this has waited, in ms. */
  readonly onWait?: ((waitedMs: number) => void) | undefined;
  readonly role?: FileRole;
}

/** Takes a lock as soon as it is free. @throws FileTrouble, or the abort error of `signal`. */
export async function takeLock(path: string, { signal, onWait, role }: Waiting = {}): Promise<Release> {
  const since = performance.now();
  for (;;) {
    signal?.throwIfAborted();
    const release = tryLock(path, role);
    if (release) return release;
    const waitedMs = performance.now() - since;
    onWait?.(waitedMs);
    const pollMs = Math.min(LONGEST_POLL_MS, Math.max(FIRST_POLL_MS, waitedMs / 10));
    await wait(pollMs, undefined, signal ? { signal } : {});
  }
}

/** Does `work` while nobody else holds the lock. @throws FileTrouble */
export async function withLock<T>(path: string, work: () => Promise<T>, waiting: Waiting = {}): Promise<T> {
  const release = await takeLock(path, waiting);
  try {
    return await work();
  } finally {
    release();
  }
}
