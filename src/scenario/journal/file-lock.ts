import { randomUUID } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { isLive, type Owner, SIGN_MS, thisProcess } from './owner.ts';

const POLL_MS = 50;

/** Does `work` while no other process holds the lock; waits for one that does, and takes over from one that died. */
export async function withLock<T>(path: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  mkdirSync(dirname(path), { recursive: true });
  while (!acquire(path)) await wait(POLL_MS, undefined, signal ? { signal } : {});
  const signs = setInterval(() => utimesSync(path, new Date(), new Date()), SIGN_MS / 4).unref();
  try {
    return await work();
  } finally {
    clearInterval(signs);
    rmSync(path, { force: true });
  }
}

function acquire(path: string): boolean {
  const own = `${path}.${randomUUID()}`;
  writeFileSync(own, JSON.stringify(thisProcess()));
  try {
    // A link appears with its content and never replaces: nobody reads half a lock, nobody overwrites one.
    linkSync(own, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    breakDead(path, own);
    return false;
  } finally {
    rmSync(own, { force: true });
  }
}

/** Removes the lock of a dead process, and no other: who was quicker may hold it again already. */
function breakDead(path: string, scratch: string): void {
  try {
    if (holderLives(path)) return;
    renameSync(path, scratch);
    if (holderLives(scratch)) linkSync(scratch, path);
  } catch (error) {
    if (!['ENOENT', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}

function holderLives(path: string): boolean {
  return isLive(JSON.parse(readFileSync(path, 'utf8')) as Owner, statSync(path).mtimeMs, Date.now());
}
