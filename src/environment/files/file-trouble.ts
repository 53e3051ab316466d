import { relative } from 'node:path';
import { ConfigurationError } from '../configuration-error.ts';

export interface FileRole {
  /** Completes the message "… (<what>) can't be read". */
  readonly what: string;
  /** Completes the message's cure "…, or <elsewhere>"; absent if no other place is possible. */
  readonly elsewhere?: string;
}

/**
 * The kinds of files and folders that the program opens. `broken-files.test.ts` opens at least one file of each kind in every broken state.
 */
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

/** A file or folder can't be used. The message is one line: path, purpose, what is wrong, what to do. */
export class FileTrouble extends ConfigurationError {
  /** The system's error code, e.g. `ENOSPC`. If the file itself is wrong, a code of Sextant (`SIZE`, `KIND`) or empty. */
  readonly code: string;

  constructor(path: string, role: FileRole, problem: string, cure: string, code = '') {
    const elsewhere = role.elsewhere ? `, or ${role.elsewhere}` : '';
    super(`${shown(path)} (${role.what}) ${problem}. ${cure}${elsewhere}.`);
    this.code = code;
  }
}

/** An error of the file system in plain words. Any other error is returned unchanged. */
export function fileTrouble(error: unknown, path: string, role: FileRole, verb: Verb): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (error instanceof ConfigurationError || typeof code !== 'string') return error;
  if (code === 'ENOENT' && verb === 'read')
    return new FileTrouble(path, role, 'is missing, or a link to nothing', 'Check the path', code);
  const [problem, cure] = meanings[code] ?? [`the system reported ${code}`, 'Check the path and the disk'];
  return new FileTrouble(path, role, `can't be ${verb}: ${problem}`, cure, code);
}

const grant = ['permission denied', 'Grant access (chown, chmod)'] as const;
const full = ['its disk is full', 'Make room'] as const;

/** Problem and cure, by the system's error code. */
const meanings: Readonly<Record<string, readonly [problem: string, cure: string]>> = {
  ...{ EACCES: grant, EPERM: grant, ENOSPC: full, EDQUOT: full },
  EISDIR: ['it is a folder', 'Put a regular file there'],
  EEXIST: ['it is not a folder', 'Move it away'],
  ENOTDIR: ['a part of its path is not a folder', 'Check the path'],
  EROFS: ['its file system is read-only', 'Mount it for writing'],
};

/** A path as messages show it: relative if it is below the current folder. */
export function shown(path: string): string {
  const near = relative(process.cwd(), path);
  return near === '' || near.startsWith('..') ? path : near;
}

/** The result of `work`, for files that are not essential; `undefined` if a file can't be used. */
export function unlessFileTrouble<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof FileTrouble) return undefined;
    throw error;
  }
}
