import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readlinkSync, statSync, utimesSync } from 'node:fs';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fieldsIn, redact } from '../../client/index.ts';
import { type FileRole, fileRoles, guarded, readTextIfAny, replaceText } from '../../config/files/index.ts';
import { unlessFileTrouble } from '../state/unless-file-trouble.ts';

/** The process that owns a file, distinguishable from a later one with the same pid. */
export interface Owner {
  readonly pid: number;
  /** Its start time on this machine; empty if unknown. */
  readonly began: string;
  /** Machine, its start, and container: pids are not comparable across these. */
  readonly host: string;
}

export function isOwner(value: unknown): value is Owner {
  if (typeof value !== 'object' || value === null) return false;
  const { pid, began, host } = value as Record<string, unknown>;
  return Number.isInteger(pid) && typeof began === 'string' && typeof host === 'string';
}

let self: Owner | undefined;

export function thisProcess(): Owner {
  self ??= { pid: process.pid, began: beginOf(process.pid) ?? '', host: thisHost() };
  return self;
}

/** Whether pids are comparable: the owner is, or was, a process of this machine and container since it was started. */
export function isOfThisHost({ host }: Owner): boolean {
  return host === thisHost();
}

/** Whether a process of this host still runs. */
export function isRunning(owner: Owner): boolean {
  const began = beginOf(owner.pid);
  return began !== undefined && (owner.began === '' || began === owner.began);
}

export function machineOf({ host }: Owner): string {
  return host.split(' ')[0] ?? host;
}

/** The start time of a process; `undefined` if there is none, empty if unknown. */
function beginOf(pid: number): string | undefined {
  if (process.platform === 'linux') return beginOnLinux(pid);
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return undefined;
  }
  if (process.platform === 'win32') return '';
  try {
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim();
  } catch {
    return undefined;
  }
}

function beginOnLinux(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The program's name is in brackets and may contain anything; the state follows, and starttime as the 20th field.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z' || fields[0] === 'X') return undefined;
    return fields[19];
  } catch {
    return undefined;
  }
}

let host: string | undefined;

function thisHost(): string {
  // Machines of one name are told apart by when they were started; containers on one machine by their namespace.
  const parts = () => [
    readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim(),
    readlinkSync('/proc/self/ns/pid'),
  ];
  host ??= [hostname(), ...(process.platform === 'linux' ? parts() : [])].join(' ');
  return host;
}

/** How often a process renews its files, for readers on machines that can't see it. */
const RENEWED_EACH_MS = 2_000;

/**
 * A process of another machine is dead when its file was the same in that many looks, each so long after the one before. Clocks aren't
 * compared: the file's time only has to change. A look counts once, so that a file server that hangs costs no more than one.
 */
const LOOK_EACH_MS = 5_000;
const LOOKS = 6;
export const LONGEST_WATCH_MS = LOOK_EACH_MS * LOOKS;

/** Whether a process still runs; `unclear` while one of another machine hasn't been watched for long enough. */
export type Life = 'live' | 'dead' | 'unclear';

/** Renews a file's time while its process lives. */
export function signsOfLife(path: string): { end(): void } {
  const timer = setInterval(() => {
    try {
      // Changes even where somebody sets the clock back.
      const now = (performance.timeOrigin + performance.now()) / 1_000;
      utimesSync(path, now, now);
    } catch {
      // Somebody took the file away; an error in a timer would end the process.
    }
  }, RENEWED_EACH_MS).unref();
  return { end: () => clearInterval(timer) };
}

/** What a live process changes in a file; `undefined` if there is none. @throws FileTrouble */
export function signOf(path: string, role: FileRole): string | undefined {
  return guarded(path, role, 'read', () => statSync(path, { throwIfNoEntry: false })?.mtimeMs.toString());
}

interface Watch {
  /** What a live process changes. */
  readonly sign: string;
  /** Looks that found the same sign. */
  readonly same: number;
  /** When the last look counted; monotonic, in ms. */
  readonly lookedAt: number;
  readonly hasChanged: boolean;
}

const watches = new Map<string, Watch>();
/** A process is dead for all of its files. */
const dead = new Set<string>();

/**
 * Whether the process that owns the file at `path` still runs. `sign` is what it renews; without an owner, the file isn't written yet.
 * `now` is this process's own monotonic time, in ms.
 */
export function lifeOf(path: string, owner: Owner | undefined, sign: string, now = performance.now()): Life {
  if (owner && isOfThisHost(owner)) return isRunning(owner) ? 'live' : 'dead';
  const process = JSON.stringify(owner);
  const before = watches.get(path);
  const watch = lookedAt(path, before, sign, now);
  watches.set(path, watch);
  if (watch.same === LOOKS && owner) dead.add(process);
  if (before && before.sign !== sign) dead.delete(process);
  if (watch.same === LOOKS || dead.has(process)) return 'dead';
  return watch.hasChanged ? 'live' : 'unclear';
}

function lookedAt(path: string, before: Watch | undefined, sign: string, now: number): Watch {
  if (!before) return { sign, same: sameBefore(path, sign), lookedAt: now, hasChanged: false };
  if (before.sign !== sign) return { sign, same: 0, lookedAt: now, hasChanged: true };
  if (before.same === LOOKS || now - before.lookedAt < LOOK_EACH_MS) return before;
  const watch = { ...before, same: before.same + 1, lookedAt: now };
  keepLooks(path, watch);
  return watch;
}

/** The looks of runs that were too short to tell: the next run goes on from there. */
const looksFile = (path: string) => join(dirname(path), 'looks.json');

type Looks = Record<string, { readonly sign: string; readonly same: number } | undefined>;

function readLooks(path: string): Looks {
  return fieldsIn(readTextIfAny(looksFile(path), fileRoles.lockFile)) as Looks;
}

function sameBefore(path: string, sign: string): number {
  const known = readLooks(path)[basename(path)];
  return known?.sign === sign && Number.isInteger(known.same) ? Math.min(known.same, LOOKS) : 0;
}

/** Those at files that are gone are dropped. */
function keepLooks(path: string, { sign, same }: Watch): void {
  const others = Object.entries(readLooks(path)).filter(([name]) => existsSync(join(dirname(path), name)));
  const looks = { ...Object.fromEntries(others), [basename(path)]: { sign, same } };
  // Where it can't be kept, a longer run tells.
  unlessFileTrouble(() => replaceText(looksFile(path), redact(JSON.stringify(looks)), fileRoles.lockFile));
}
