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

/**
 * The wait between two attempts to take a lock, in ms. It grows with the time already waited, because many waiting processes must not slow
 * down the process that holds the lock.
 */
const FIRST_POLL_MS = 50;
const LONGEST_POLL_MS = 1_000;
/** SQLite's result code if another connection has locked the file. */
const BUSY = 5;

export type Release = () => void;

/**
 * Takes the lock of a file; `undefined` if another process holds the lock. The operating system releases the lock when the process ends or
 * is killed. A copy of the file is not locked. Containers that share a volume see each other's locks. @throws FileTrouble
 */
export function tryLock(path: string, role: FileRole = fileRoles.state): Release | undefined {
  makeFolder(dirname(path), role);
  // Checks the file without opening it: on POSIX, closing any handle of a file releases all locks that the process has on the file.
  guarded(path, role, 'written', () => {
    // SQLite would follow a link, and change the file behind it.
    if (isLink(path, role))
      throw new FileTrouble(path, role, 'is a link, and a lock must be a file of its own', 'Remove it', 'LINK');
    // SQLite can't lock a file that it may only read.
    if (refuseSpecial(path, role) !== undefined) accessSync(path, constants.W_OK);
  });
  const found = lockFile(path, role);
  if (found === 'held') assertLocksIn(dirname(path), role);
  return found === 'held' ? undefined : found;
}

const lockable = new Set<string>();

/**
 * Checks whether the file system of a folder supports locks. If it doesn't (NFS without its lock daemon, for example), SQLite reports the same error
 * as for a lock that is taken. @throws FileTrouble
 */
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
  // Loaded here, because Playwright's loader can't import this module, and most commands take no lock.
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
  let db: InstanceType<typeof DatabaseSync> | undefined;
  try {
    db = new DatabaseSync(path, { timeout: 0 });
    // Nothing is ever written to the database, so a journal on disk would only cost the time to create and remove it.
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
  /** Called each time the lock is found taken, with the time waited so far, in ms. */
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
