import { lstatSync, readlinkSync, type Stats, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { ConfigurationError } from '../configuration-error.ts';
import type { FileRole } from './roles.ts';
import { shown } from './shown.ts';

/** The intended file operation. */
export type Verb = 'read' | 'written' | 'removed';

/** A file or folder can't be used; the message is one line: path, purpose, what is wrong, what to do. */
export class FileTrouble extends ConfigurationError {
  /** The system's error code, e.g. `ENOSPC`; empty if the file itself is wrong. */
  readonly code: string;

  constructor(path: string, role: FileRole, problem: string, cure: string, code = '') {
    const elsewhere = role.elsewhere ? `, or ${role.elsewhere}` : '';
    super(`${shown(path)} (${role.what}) ${problem}. ${cure}${elsewhere}.`);
    this.code = code;
  }
}

/** An error of the file system in plain words; anything else comes back as it is. */
export function fileTrouble(error: unknown, path: string, role: FileRole, verb: Verb): unknown {
  if (error instanceof ConfigurationError) return error;
  const { code, path: at = path } = error as NodeJS.ErrnoException;
  if (typeof code !== 'string') return error;
  const [problem, cure] = meaning(code, resolve(path), resolve(at), verb);
  return new FileTrouble(path, role, problem, cure, code);
}

/** @throws FileTrouble if `path` is neither a regular file nor a link to one: opening it may block forever. */
export function refuseSpecial(path: string, role: FileRole): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found || found.isFile()) return;
  throw new FileTrouble(path, role, `is a ${kindOf(found)}, not a regular file`, 'Put a regular file there', 'KIND');
}

type Meaning = readonly [problem: string, cure: string];

/** By the system's codes; CODE and VERB stand for what it was. */
const meanings: Readonly<Record<string, Meaning>> = {
  EISDIR: ['is a folder, not a regular file', 'Put a regular file there'],
  ELOOP: ['is a symbolic link to itself', 'Remove it'],
  'ENOSPC EDQUOT EFBIG': ["can't be written: its disk is full (CODE)", 'Make room'],
  EROFS: ["can't be VERB: its file system is read-only", 'Mount it for writing'],
  ENAMETOOLONG: ["can't be VERB: its name is too long", 'Choose a shorter one'],
  ERR_INVALID_ARG_VALUE: ['contains a NUL character', 'Correct it'],
  'EMFILE ENFILE': ["can't be VERB: too many files are open (CODE)", 'Raise the limit (ulimit -n)'],
};

/** `at` is what the system stumbled over: the path itself, or a file that was to become it. */
function meaning(code: string, path: string, at: string, verb: Verb): Meaning {
  if (['EACCES', 'EPERM'].includes(code)) return denied(path, at, verb);
  if (['ENOENT', 'EEXIST', 'ENOTDIR'].includes(code))
    return obstacle(path) ?? [verb === 'read' ? 'is missing' : `can't be ${verb} there (${code})`, 'Check the path'];
  const found = Object.entries(meanings).find(([codes]) => codes.split(' ').includes(code));
  const [problem, cure] = found?.[1] ?? ["can't be VERB: the system reported CODE", 'Check the disk'];
  return [problem.replace('VERB', verb).replace('CODE', code), cure];
}

/** Names what refuses: the thing itself, or the nearest folder above it that can be looked at. */
function denied(path: string, at: string, verb: Verb): Meaning {
  const user = process.geteuid?.();
  const nearest = [...upwards(at)].find((each) => lookedAt(each));
  const found = nearest && lookedAt(nearest);
  if (user === undefined || !found) return [`can't be ${verb}: permission denied`, 'Grant access to it'];
  const mode = (found.mode & 0o7777).toString(8).padStart(4, '0');
  const owner = `${nearest === path ? 'it' : shown(nearest)} belongs to uid ${found.uid} with mode ${mode}`;
  return [`can't be ${verb}: ${owner}, and this process runs as uid ${user}`, 'Grant access (chown, chmod)'];
}

/** A link to nothing, or a file in the place of a folder, at the path or above it. */
function obstacle(path: string): Meaning | undefined {
  for (const at of upwards(path)) {
    const found = lookedAt(at);
    if (found && !found.isDirectory())
      return [at === path ? 'is not a folder' : `can't be reached: ${shown(at)} is not a folder`, 'Move it away'];
    if (found || !lookedAt(at, lstatSync)?.isSymbolicLink()) continue;
    const problem = `a link to ${readlinkSync(at)}, which does not exist`;
    return [at === path ? `is ${problem}` : `can't be reached: ${shown(at)} is ${problem}`, 'Fix the link'];
  }
  return undefined;
}

function* upwards(path: string): IterableIterator<string> {
  let at = path;
  for (; at !== dirname(at); at = dirname(at)) yield at;
  yield at;
}

/** What is at the path, as far as this user may look. */
function lookedAt(path: string, look: typeof statSync | typeof lstatSync = statSync): Stats | undefined {
  try {
    return look(path);
  } catch {
    return undefined;
  }
}

function kindOf(found: Stats): string {
  if (found.isDirectory()) return 'folder';
  return found.isFIFO() ? 'FIFO' : found.isSocket() ? 'socket' : 'device';
}

/** The result of `work`; `undefined` where it can't use a file that can be done without. */
export function unlessFileTrouble<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof FileTrouble) return undefined;
    throw error;
  }
}
