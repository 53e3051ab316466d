import { randomUUID } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { isLive, type Owner, SIGN_MS, thisProcess } from './owner.ts';

const POLL_MS = 50;

export interface LockOptions {
  /** Gives up waiting. */
  readonly signal?: AbortSignal | undefined;
  /** Called once, with the process that holds the lock, before this one waits for it. */
  readonly onWait?: ((holder: Owner) => void) | undefined;
}

/** Does `work` while no other process holds the lock; waits for one that does, and takes over from one that died. */
export async function withLock<T>(path: string, work: () => Promise<T>, options: LockOptions = {}): Promise<T> {
  const release = await takeLock(path, options);
  try {
    return await work();
  } finally {
    release();
  }
}

/** Takes a lock and gives what releases it. @throws the abort error of `signal` while it waits. */
export async function takeLock(path: string, { signal, onWait }: LockOptions = {}): Promise<() => void> {
  mkdirSync(dirname(path), { recursive: true });
  for (let isFirst = true; !acquire(path); isFirst = false) {
    if (isFirst) reportHolder(path, onWait);
    await wait(POLL_MS, undefined, signal ? { signal } : {});
  }
  const signs = setInterval(() => utimesSync(path, new Date(), new Date()), SIGN_MS / 4).unref();
  return () => {
    clearInterval(signs);
    rmSync(path, { force: true });
  };
}

function reportHolder(path: string, onWait: LockOptions['onWait']): void {
  const holder = holderOf(path);
  if (holder) onWait?.(holder);
}

/** The holder of a lock; `undefined` when it has just been released. */
function holderOf(path: string): Owner | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Owner;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
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
