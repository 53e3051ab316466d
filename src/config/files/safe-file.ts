import { randomUUID } from 'node:crypto';
import {
  appendFileSync,
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import type { Redacted } from '../../client/index.ts';
import { type FileRole, FileTrouble, fileRoles, fileTrouble, refuseSpecial, type Verb } from './file-trouble.ts';

// Every file that a user can put in the way is opened here: an error names the path and the cure, only regular files are
// opened, and a file is replaced as a whole or left as it is.

/** Larger than any file that the program reads as text. */
const MAX_BYTES = 64_000_000;

/** @throws FileTrouble */
export function readText(path: string, role: FileRole, maxBytes = MAX_BYTES): string {
  return readBytes(path, role, maxBytes).toString('utf8');
}

/** @throws FileTrouble */
export function readBytes(path: string, role: FileRole, maxBytes = MAX_BYTES): Buffer {
  return guarded(path, role, 'read', () => {
    refuseSpecial(path, role);
    // Between the look and the opening a FIFO may have come; without blocking its opening ends at once.
    const descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      const found = fstatSync(descriptor);
      if (!found.isFile()) refuseSpecial(path, role);
      if (found.size > maxBytes)
        throw new FileTrouble(path, role, `has more than ${maxBytes} bytes`, 'Put the right file there', 'SIZE');
      return readFileSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  });
}

/** The same; `undefined` where nothing is at the path. A link to nothing is a mistake, not nothing. @throws FileTrouble */
export function readTextIfAny(path: string, role: FileRole, maxBytes = MAX_BYTES): string | undefined {
  // Some are looked for with every request, and an error costs more than a look.
  if (!isThere(path, role)) return undefined;
  try {
    return readText(path, role, maxBytes);
  } catch (error) {
    if (error instanceof FileTrouble && error.code === 'ENOENT' && !isThere(path, role)) return undefined;
    throw error;
  }
}

/** The path with all links followed. @throws FileTrouble */
export function realPath(path: string, role: FileRole): string {
  return guarded(path, role, 'read', () => realpathSync(path));
}

/** Whether anything is at the path, even a link to nothing. @throws FileTrouble when that can't be known. */
export function isThere(path: string, role: FileRole): boolean {
  return guarded(path, role, 'read', () => lstatSync(path, { throwIfNoEntry: false }) !== undefined);
}

/** The names in a folder; none where it doesn't exist. @throws FileTrouble */
export function listFolder(path: string, role: FileRole): string[] {
  return isThere(path, role) ? guarded(path, role, 'read', () => readdirSync(path)) : [];
}

/** Writes a file, with its folders: all of it, or nothing, and an earlier one stays. @throws FileTrouble */
export function replaceText(path: string, text: Redacted, role: FileRole): void {
  makeFolder(dirname(path), role);
  guarded(path, role, 'written', () => replace(targetOf(path, role), text));
}

/**
 * The same for the one file that secrets are for, and never through a symbolic link. `mode`: its permissions, even if it exists.
 * @throws FileTrouble
 */
export function replaceUnredacted(path: string, text: string, role: FileRole, mode?: number): void {
  makeFolder(dirname(path), role);
  guarded(path, role, 'written', () => {
    refuseLink(path, role);
    replace(targetOf(path, role), text, mode);
  });
}

/** Without a mode, those of the existing file, or 0644. */
function replace(target: string, text: string, given?: number): void {
  const part = join(dirname(target), `.${basename(target).slice(0, 100)}.${randomUUID()}.part`);
  const mode = given ?? statSync(target, { throwIfNoEntry: false })?.mode;
  try {
    const descriptor = openSync(part, 'wx', (mode ?? 0o644) & 0o777);
    try {
      // The process's umask may have taken away what an earlier file had.
      if (mode !== undefined) fchmodSync(descriptor, mode & 0o7777);
      writeFileSync(descriptor, text);
    } finally {
      closeSync(descriptor);
    }
    renameSync(part, target);
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  }
}

/** Adds to a file, which is made where it is missing. @throws FileTrouble */
export function appendText(path: string, text: Redacted, role: FileRole): void {
  guarded(path, role, 'written', () => {
    refuseSpecial(path, role);
    appendFileSync(path, text);
  });
}

/** Makes a file that must not exist yet; false when it does. @throws FileTrouble */
export function claimFile(path: string, role: FileRole): boolean {
  makeFolder(dirname(path), role);
  return guarded(path, role, 'written', () => {
    try {
      writeFileSync(path, '', { flag: 'wx' });
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
      throw error;
    }
  });
}

/** @throws FileTrouble */
export function makeFolder(path: string, role: FileRole): void {
  guarded(path, role, 'written', () => makeWithParents(resolve(path)));
}

/** Creates one folder at a time: in places without folders (/proc), Node's recursive mkdir loops forever and fills the memory. */
function makeWithParents(path: string): void {
  const missing: string[] = [];
  for (let at = path; !statSync(at, { throwIfNoEntry: false })?.isDirectory() && at !== dirname(at); at = dirname(at))
    missing.unshift(at);
  for (const each of missing)
    try {
      mkdirSync(each);
    } catch (error) {
      // Another process may have made it in the meantime.
      if (!statSync(each, { throwIfNoEntry: false })?.isDirectory()) throw error;
    }
}

/** Makes a folder and tries whether files can be made in it. @throws FileTrouble */
export function assertWritableFolder(path: string, role: FileRole): void {
  makeFolder(path, role);
  const probe = join(path, `.${randomUUID()}.probe`);
  guarded(path, role, 'written', () => {
    try {
      // A full disk still makes an empty file.
      writeFileSync(probe, 'x'.repeat(4_096), { flag: 'wx' });
    } finally {
      rmSync(probe, { force: true });
    }
  });
}

/** For a file that a library opens: nothing is there, or a regular file that this user may open. @throws FileTrouble */
export function assertRegularFile(path: string, role: FileRole, { readOnly = false } = {}): void {
  if (!isThere(path, role)) return;
  guarded(path, role, readOnly ? 'read' : 'written', () => {
    refuseSpecial(path, role);
    const access = readOnly ? constants.O_RDONLY : constants.O_RDWR;
    closeSync(openSync(path, access | (constants.O_NONBLOCK ?? 0)));
  });
}

/** For a file that is written later, when it would be too late. @throws FileTrouble when this user can't write it. */
export function assertWritableFile(path: string, role: FileRole): void {
  assertRegularFile(path, role);
  assertWritableFolder(dirname(path), role);
}

/** Removes a file or a folder with all that is in it, if it is there; another process may still write there. @throws FileTrouble */
export function remove(path: string, role: FileRole): void {
  guarded(path, role, 'removed', () => rmSync(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 }));
}

/** A new folder for temporary files. @throws FileTrouble */
export function scratchFolder(prefix: string): string {
  return guarded(tmpdir(), fileRoles.scratch, 'written', () => mkdtempSync(join(tmpdir(), prefix)));
}

/** Runs `work`; rethrows file-system errors as FileTrouble. */
export function guarded<T>(path: string, role: FileRole, verb: Verb, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw fileTrouble(error, path, role, verb);
  }
}

/** @throws FileTrouble when a symbolic link is at the path. */
export function refuseLink(path: string, role: FileRole): void {
  if (guarded(path, role, 'read', () => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()))
    throw new FileTrouble(path, role, 'is a symbolic link, which could lead secrets elsewhere', 'Remove it', 'LINK');
}

/** Where a file is really written: a link leads to its target. */
function targetOf(path: string, role: FileRole): string {
  if (!isThere(path, role)) return path;
  // A link to nothing ends here, with its own error.
  const target = realpathSync(path);
  refuseSpecial(target, role);
  return target;
}
