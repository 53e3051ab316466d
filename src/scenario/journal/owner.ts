import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

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
