import { lstatSync, readlinkSync, type Stats, statSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { ConfigurationError } from '../configuration-error.ts';

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

/** A path as a message shows it: relative where that is shorter to read. */
export function shown(path: string): string {
  const near = relative(process.cwd(), path);
  return near === '' || near.startsWith('..') ? path : near;
}

export interface FileRole {
  /** Completes "… (<what>) can't be read". */
  readonly what: string;
  /** Completes "…, or <elsewhere>"; absent: there is no other place. */
  readonly elsewhere?: string;
}

const environments = 'name another folder with SEXTANT_ENVIRONMENTS';
const state = 'name another folder with SEXTANT_STATE';
const output = 'name another folder with SEXTANT_OUTPUT';
const surveys = 'name another folder with SEXTANT_SURVEYS';
const data = 'name another folder with --data';

/** Every file and folder that the program opens. A test breaks each of them in every way. */
export const fileRoles = {
  environments: { what: 'the folder of the environments', elsewhere: environments },
  environment: { what: 'the settings of an environment', elsewhere: environments },
  secrets: { what: 'the secrets of an environment', elsewhere: environments },
  certificate: { what: 'a certificate that an environment names', elsewhere: 'name another file' },
  quarantine: { what: 'the quarantine list', elsewhere: environments },
  imported: { what: 'the file to import', elsewhere: 'name another file' },
  observed: { what: 'observed responses of an environment', elsewhere: 'name another folder with SEXTANT_OBSERVED' },
  openApi: { what: "the team's own OpenAPI document", elsewhere: 'name another file' },
  survey: { what: 'a survey', elsewhere: surveys },
  surveyProgress: { what: 'the progress of an unfinished survey', elsewhere: output },
  state: { what: 'the state that outlives a run', elsewhere: state },
  journal: { what: 'the undo journal', elsewhere: state },
  lockFile: { what: 'the lock of a run' },
  consents: { what: 'the record of consents', elsewhere: state },
  accepted: { what: 'the record of accepted data', elsewhere: state },
  usedItems: { what: 'the record of used items', elsewhere: state },
  page: {
    what: 'the summary page',
    elsewhere: 'name another file with --summary, or another folder with SEXTANT_OUTPUT',
  },
  exported: { what: 'the exported requests', elsewhere: 'name another folder with --output' },
  junit: { what: 'the JUnit file', elsewhere: 'name another file with --junit' },
  output: { what: 'the results of a run', elsewhere: output },
  shard: { what: 'the results of a shard', elsewhere: 'name the folders that its jobs left with --merge' },
  site: { what: 'the site of reports', elsewhere: 'name another folder with --site' },
  scratch: { what: 'temporary files', elsewhere: 'name another folder with TMPDIR' },
  settings: { what: 'the settings of the monitor', elsewhere: 'name another file with --settings' },
  data: { what: 'the data of the monitor', elsewhere: data },
  lock: { what: 'the lock of the monitor', elsewhere: data },
  history: { what: 'the history of the monitor', elsewhere: data },
  serviceState: { what: 'the state of the reference service', elsewhere: 'name another file with --data' },
  source: { what: 'a file of the project', elsewhere: 'restore it from the repository' },
  matrix: { what: 'the kill matrix', elsewhere: 'restore it from the repository' },
} as const satisfies Record<string, FileRole>;

/** SQLite's primary result codes (sqlite.org/rescode.html). */
const ERROR = 1;
export const CORRUPT = 11;

const locked: Meaning = ['is locked by another process; no data is lost', 'Stop that process (`lsof FILE` shows it)'];
const closed: Meaning = [
  "can't be opened: SQLite needs to write files next to it, and permission is denied",
  'Grant access to its folder (chown, chmod)',
];
const damaged: Meaning = [
  'is damaged or not WHAT; it is unchanged',
  'Move it away to start a new one (`sqlite3 FILE .recover` recovers what is readable)',
];

const sqliteMeanings: Readonly<Record<number, Meaning>> = {
  [ERROR]: damaged,
  5: locked, // BUSY
  6: locked, // LOCKED
  8: closed, // READONLY
  10: ['is on a disk that reports I/O errors', 'Check the disk (`dmesg`)'],
  [CORRUPT]: damaged,
  13: ["can't be written: its disk is full; committed data is safe", 'Free some space, and it continues by itself'],
  14: closed, // CANTOPEN
  26: damaged, // NOTADB
};

/** An error of SQLite as what it means for a user; `undefined` when it is a mistake of our own, or another's error. */
export function sqliteTrouble(error: unknown, file: string, role: FileRole): FileTrouble | undefined {
  const { errcode, message = '' } = (error ?? {}) as { errcode?: unknown; message?: string };
  if (typeof errcode !== 'number') return undefined;
  const code = errcode & 0xff;
  const found = code !== ERROR || /^no such (table|column)/.test(message) ? sqliteMeanings[code] : undefined;
  if (!found) return undefined;
  const [problem, cure] = found.map((text) => text.replace('FILE', () => file).replace('WHAT', role.what));
  return new FileTrouble(file, role, problem ?? '', cure ?? '', 'SQLITE');
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
