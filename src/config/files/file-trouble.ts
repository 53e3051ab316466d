import { statSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { ConfigurationError } from '../configuration-error.ts';

export interface FileRole {
  /** Completes "… (<what>) can't be read". */
  readonly what: string;
  /** Completes "…, or <elsewhere>"; absent: there is no other place. */
  readonly elsewhere?: string;
}

/** The kinds of files and folders that the program opens. A test breaks one of each in every way. */
export const fileRoles = {
  environment: { what: 'the environments', elsewhere: 'name another folder with SEXTANT_ENVIRONMENTS' },
  secrets: { what: 'the secrets of an environment', elsewhere: 'name another folder with SEXTANT_ENVIRONMENTS' },
  given: { what: 'a file that is to be read', elsewhere: 'name another file' },
  observed: { what: 'observed responses of an environment', elsewhere: 'name another folder with SEXTANT_OBSERVED' },
  facts: { what: 'the facts of an environment', elsewhere: 'name another folder with SEXTANT_ENVIRONMENTS' },
  state: { what: 'the state that outlives a run', elsewhere: 'name another folder with SEXTANT_STATE' },
  output: { what: 'the results of a run', elsewhere: 'name another folder with SEXTANT_OUTPUT' },
  written: { what: 'a file that is to be written', elsewhere: 'name another place' },
  scratch: { what: 'temporary files', elsewhere: 'name another folder with TMPDIR' },
  settings: { what: 'the settings of the monitor', elsewhere: 'name another file with --settings' },
  data: { what: 'the data of a service', elsewhere: 'name another place with --data' },
  project: { what: 'a file of the project', elsewhere: 'restore it from the repository' },
} as const satisfies Record<string, FileRole>;

export type Verb = 'read' | 'written' | 'removed';

/** A file or folder can't be used; the message is one line: path, purpose, what is wrong, what to do. */
export class FileTrouble extends ConfigurationError {
  /** The system's error code, e.g. `ENOSPC`; a word of ours if the file itself is wrong. */
  readonly code: string;

  constructor(path: string, role: FileRole, problem: string, cure: string, code = '') {
    const elsewhere = role.elsewhere ? `, or ${role.elsewhere}` : '';
    super(`${shown(path)} (${role.what}) ${problem}. ${cure}${elsewhere}.`);
    this.code = code;
  }
}

/** An error of the file system in plain words; anything else comes back as it is. */
export function fileTrouble(error: unknown, path: string, role: FileRole, verb: Verb): unknown {
  const { code, path: at = path } = error as NodeJS.ErrnoException;
  if (error instanceof ConfigurationError || typeof code !== 'string') return error;
  if (code === 'ENOENT' && verb === 'read')
    return new FileTrouble(path, role, 'is missing, or a link to nothing', 'Check the path', code);
  const [problem, cure] = meanings[code] ?? [`the system reported ${code}`, 'Check the path and the disk'];
  const why = code === 'EACCES' || code === 'EPERM' ? whyDenied(resolve(at)) : problem;
  return new FileTrouble(path, role, `can't be ${verb}: ${why}`, cure, code);
}

const grant = ['permission denied', 'Grant access (chown, chmod)'] as const;
const full = ['its disk is full', 'Make room'] as const;

/** By the system's codes. */
const meanings: Readonly<Record<string, readonly [problem: string, cure: string]>> = {
  ...{ EACCES: grant, EPERM: grant, ENOSPC: full, EDQUOT: full },
  EISDIR: ['it is a folder', 'Put a regular file there'],
  EEXIST: ['it is not a folder', 'Move it away'],
  ENOTDIR: ['a part of its path is not a folder', 'Check the path'],
  ELOOP: ['it is a link to itself', 'Remove it'],
  EROFS: ['its file system is read-only', 'Mount it for writing'],
};

/** Names the owner of what refuses: of the thing itself, or of the nearest folder above it that can be looked at. */
function whyDenied(path: string): string {
  for (let at = path; ; at = dirname(at))
    try {
      const { mode, uid } = statSync(at);
      const rights = (mode & 0o7777).toString(8).padStart(4, '0');
      return `${shown(at)} belongs to uid ${uid} with mode ${rights}, and this process runs as uid ${process.geteuid?.()}`;
    } catch {
      if (at === dirname(at)) return 'permission denied';
    }
}

/** A path as a message shows it: relative where that is shorter to read. */
export function shown(path: string): string {
  const near = relative(process.cwd(), path);
  return near === '' || near.startsWith('..') ? path : near;
}

export const CORRUPT = 11;

/** SQLite's primary result codes (sqlite.org/rescode.html), with what helps. */
const cures: Readonly<Record<number, string>> = {
  ...{ 5: 'Stop the process that holds it (`lsof` shows it)', 6: 'Stop the process that holds it (`lsof` shows it)' },
  ...{ 8: 'Grant access to it and to its folder', 14: 'Grant access to it and to its folder' },
  ...{ 10: 'Check the disk (`dmesg`)', 13: 'Free some space, and it continues by itself' },
};
const DAMAGED = 'It is unchanged: move it away to start a new one (`sqlite3 FILE .recover` recovers what is readable)';

/** An error of SQLite for a user; `undefined` when it is a mistake of our own, or another's error. */
export function sqliteTrouble(error: unknown, file: string, role: FileRole): FileTrouble | undefined {
  const { errcode, message = '' } = (error ?? {}) as { errcode?: unknown; message?: string };
  if (typeof errcode !== 'number') return undefined;
  const isDamaged = [CORRUPT, 26].includes(errcode & 0xff) || /^no such (table|column)/.test(message);
  const cure = isDamaged ? DAMAGED : cures[errcode & 0xff];
  return cure === undefined ? undefined : new FileTrouble(file, role, `can't be used: ${message}`, cure, 'SQLITE');
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
