import { randomUUID } from 'node:crypto';
import { linkSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parsedJson } from '../../client/index.ts';
import { FileTrouble, fileRoles, guarded, makeFolder, readTextIfAny, remove } from '../../config/files/index.ts';
import { isLive, isOwner, type Owner, renewedAt, signsOfLife, thisProcess } from './owner.ts';

const POLL_MS = 50;

export interface LockOptions {
  readonly signal?: AbortSignal | undefined;
  /** Called once, with the process that holds the lock, before this one waits for it. */
  readonly onWait?: ((holder: Owner) => void) | undefined;
}

/** Does `work` while no other process holds the lock; waits for one that does, and takes over from one that died. @throws FileTrouble */
export async function withLock<T>(path: string, work: () => Promise<T>, options: LockOptions = {}): Promise<T> {
  const release = await takeLock(path, options);
  try {
    return await work();
  } finally {
    release();
  }
}

/** Takes a lock, and returns a function that releases it. @throws FileTrouble, or the abort error of `signal` while it waits. */
export async function takeLock(path: string, { signal, onWait }: LockOptions = {}): Promise<() => void> {
  for (let isFirst = true; ; isFirst = false) {
    const release = tryLock(path);
    if (release) return release;
    const holder = isFirst ? holderOf(path) : undefined;
    if (holder) onWait?.(holder.owner);
    await wait(POLL_MS, undefined, signal ? { signal } : {});
  }
}

/** Takes a lock that is free; `undefined` where it isn't, and where a dead process had it, for the next try. @throws FileTrouble */
export function tryLock(path: string): (() => void) | undefined {
  makeFolder(dirname(path), fileRoles.state);
  if (!acquire(path)) return undefined;
  const signs = signsOfLife(path);
  let isHeld = true;
  return () => {
    signs.end();
    // Given back once, it may be another's.
    if (isHeld) remove(path, fileRoles.state);
    isHeld = false;
  };
}

/** Who holds a lock, and whether that process may still run; `undefined` if it is free. @throws FileTrouble when it is not a lock. */
export function holderOf(path: string) {
  const text = readTextIfAny(path, fileRoles.state);
  const time = renewedAt(path, fileRoles.state);
  if (text === undefined || time === undefined) return undefined;
  const owner = parsedJson(text);
  if (!isOwner(owner)) throw new FileTrouble(path, fileRoles.state, 'is not a lock file of Sextant', 'Remove it');
  return { owner, isLive: isLive(path, owner, time) };
}

function acquire(path: string): boolean {
  const own = `${path}.${randomUUID()}`;
  try {
    // On the disk before it has its name: a power cut must not leave an empty lock.
    guarded(path, fileRoles.state, 'written', () => writeFileSync(own, JSON.stringify(thisProcess()), { flush: true }));
    // A link appears with its content and never replaces a file: a lock is never half written or overwritten.
    return guarded(path, fileRoles.state, 'written', () => {
      try {
        linkSync(own, path);
        return true;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
        breakDead(path);
        return false;
      }
    });
  } finally {
    remove(own, fileRoles.state);
  }
}

/**
 * Removes the lock of a dead process. Under a lock of its own, for between a look and the removal another process may have taken over; that
 * one may be left by a dead process, too.
 */
function breakDead(path: string): void {
  if (!isDead(path)) return;
  const own = `${path}.breaking`;
  if (!acquire(own)) return;
  try {
    if (isDead(path)) remove(path, fileRoles.state);
  } finally {
    remove(own, fileRoles.state);
  }
}

function isDead(path: string): boolean {
  const holder = holderOf(path);
  return holder !== undefined && !holder.isLive;
}

/** Waits until the lock is free. @throws FileTrouble after `longestMs` */
export async function lockIsFree(path: string, longestMs: number): Promise<void> {
  const since = performance.now();
  while (holderOf(path)?.isLive) {
    if (performance.now() - since > longestMs)
      throw new FileTrouble(path, fileRoles.state, `has been held for ${Math.round(longestMs / 1_000)} s`, 'Try again');
    await wait(POLL_MS);
  }
}
