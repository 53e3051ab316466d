import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { closeSync, openSync, readFileSync, readlinkSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { type FileRole, guarded } from '../../config/files/index.ts';

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

export function isRunning(owner: Owner): boolean {
  if (owner.pid === process.pid) return owner.began === thisProcess().began;
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

/** A process of another machine is dead when its file is as old as this. */
export const DEAD_AFTER_MS = 30_000;

/** Its first character is written again, so that the time of the file is its file system's, whatever this machine's clock says. */
export function signsOfLife(path: string): { end(): void } {
  const timer = setInterval(() => {
    try {
      const descriptor = openSync(path, 'r+');
      try {
        writeSync(descriptor, '{', 0);
      } finally {
        closeSync(descriptor);
      }
    } catch {
      // Somebody took the file away; an error in a timer would end the process.
    }
  }, RENEWED_EACH_MS).unref();
  return { end: () => clearInterval(timer) };
}

/** When a file was renewed, by the clock of its file system; `undefined` if there is none. @throws FileTrouble */
export function renewedAt(path: string, role: FileRole): number | undefined {
  return guarded(path, role, 'read', () => statSync(path, { throwIfNoEntry: false })?.mtimeMs);
}

/** Whether the process that owns the file at `path` may still run. Without an owner, the file isn't written yet. */
export function isLive(path: string, owner: Owner | undefined, renewed: number): boolean {
  if (owner && isOfThisHost(owner)) return isRunning(owner);
  return hasJustSlept() || timeIn(dirname(path)) - renewed < DEAD_AFTER_MS;
}

/** The time by the clock of a folder's file system, which is that of its files: the clocks of two machines aren't compared. */
function timeIn(folder: string): number {
  const path = join(folder, `.now-${randomUUID()}`);
  try {
    writeFileSync(path, '');
    return statSync(path).mtimeMs;
  } catch {
    return Date.now();
  } finally {
    rmSync(path, { force: true });
  }
}

let ahead = performance.timeOrigin;
let sleptUntil = Number.NEGATIVE_INFINITY;

/** Whether this machine slept a moment ago: others on it, in containers, had no time yet to renew their files. */
function hasJustSlept(): boolean {
  const [before, now] = [ahead, performance.now()];
  ahead = Date.now() - now;
  if (ahead - before > RENEWED_EACH_MS) sleptUntil = now + 2 * RENEWED_EACH_MS;
  return now < sleptUntil;
}
