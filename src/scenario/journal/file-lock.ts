import { randomUUID } from 'node:crypto';
import { linkSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { FileTrouble, fileRoles, guarded, makeFolder, readTextIfAny, remove } from '../../config/files/index.ts';
import { isLive, isOwner, type Owner, thisProcess } from './owner.ts';
import { signsOfLife } from './signs-of-life.ts';

const POLL_MS = 50;

/**
 * Does `work` while no other process holds the lock; waits for one that does, and takes over from one that died.
 * @throws FileTrouble
 */
export async function withLock<T>(path: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  makeFolder(dirname(path), fileRoles.journal);
  while (!acquire(path)) await wait(POLL_MS, undefined, signal ? { signal } : {});
  const signs = signsOfLife(path);
  try {
    return await work();
  } finally {
    signs.end();
    remove(path, fileRoles.journal);
  }
}

function acquire(path: string): boolean {
  const own = `${path}.${randomUUID()}`;
  try {
    // On the disk before it has its name: a power cut must not leave an empty lock.
    guarded(path, fileRoles.journal, 'written', () =>
      writeFileSync(own, JSON.stringify(thisProcess()), { flush: true }),
    );
    // A link appears with its content and never replaces: nobody reads half a lock, nobody overwrites one.
    return guarded(path, fileRoles.journal, 'written', () => {
      try {
        linkSync(own, path);
        return true;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
        breakDead(path, own);
        return false;
      }
    });
  } finally {
    remove(own, fileRoles.journal);
  }
}

/** Removes the lock of a dead process, and no other: who was quicker may hold it again already. */
function breakDead(path: string, scratch: string): void {
  try {
    if (holderLives(path)) return;
    renameSync(path, scratch);
    if (holderLives(scratch)) linkSync(scratch, path);
  } catch (error) {
    if (error instanceof FileTrouble) throw error;
    if (!['ENOENT', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}

/** Waits until nobody works under the lock. @throws FileTrouble after `longestMs` */
export async function lockIsFree(path: string, longestMs: number): Promise<void> {
  const since = performance.now();
  while (holderLives(path)) {
    if (performance.now() - since > longestMs)
      throw new FileTrouble(
        path,
        fileRoles.journal,
        `has been held for ${Math.round(longestMs / 1_000)} s`,
        'Try again',
      );
    await wait(POLL_MS);
  }
}

/** Whether somebody works under the lock. @throws FileTrouble */
function holderLives(path: string): boolean {
  const text = readTextIfAny(path, fileRoles.journal);
  const signAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
  if (text === undefined || signAt === undefined) return false;
  const owner = parsed(text);
  if (!owner) throw new FileTrouble(path, fileRoles.journal, 'is not a lock that a run made', 'Remove it');
  return isLive(owner, signAt, Date.now());
}

function parsed(text: string): Owner | undefined {
  try {
    const found: unknown = JSON.parse(text);
    return isOwner(found) ? found : undefined;
  } catch {
    return undefined;
  }
}
