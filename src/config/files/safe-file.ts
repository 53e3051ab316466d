import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import type { Redacted } from '../../client/index.ts';
import { type FileRole, FileTrouble, fileRoles, fileTrouble, refuseSpecial, type Verb } from './file-trouble.ts';

// Every file that a user can put in the way is opened here: an error names the path and the cure, only regular files are
// opened, and a file is replaced as a whole or left as it is. Every function throws FileTrouble.

/** Larger than any file that the program reads as text. */
const MAX_BYTES = 64_000_000;

export function readText(path: string, role: FileRole, maxBytes = MAX_BYTES): string {
  return readBytes(path, role, maxBytes).toString('utf8');
}

export function readBytes(path: string, role: FileRole, maxBytes = MAX_BYTES): Buffer {
  return guarded(path, role, 'read', () => {
    refuseSpecial(path, role);
    // Between the look and the opening a FIFO may have come; without blocking its opening ends at once.
    const descriptor = fs.openSync(path, fs.constants.O_RDONLY | (fs.constants.O_NONBLOCK ?? 0));
    try {
      const found = fs.fstatSync(descriptor);
      if (!found.isFile()) refuseSpecial(path, role);
      if (found.size > maxBytes)
        throw new FileTrouble(path, role, `has more than ${maxBytes} bytes`, 'Put the right file there', 'SIZE');
      return fs.readFileSync(descriptor);
    } finally {
      fs.closeSync(descriptor);
    }
  });
}

/** `undefined` where nothing is at the path. A link to nothing is a mistake, not nothing. @throws FileTrouble */
export function readTextIfAny(path: string, role: FileRole, maxBytes = MAX_BYTES): string | undefined {
  // Some are looked for with every request, and an error costs more than a look.
  while (isThere(path, role))
    try {
      return readText(path, role, maxBytes);
    } catch (error) {
      const isGone = error instanceof FileTrouble && error.code === 'ENOENT' && !isLink(path, role);
      // Between the look and the opening it went, and another may have come: a lock that is given back and taken.
      if (!isGone) throw error;
    }
  return undefined;
}

export function realPath(path: string, role: FileRole): string {
  return guarded(path, role, 'read', () => fs.realpathSync(path));
}

/** Whether anything is at the path, even a link to nothing. @throws FileTrouble when that can't be known. */
export function isThere(path: string, role: FileRole): boolean {
  return guarded(path, role, 'read', () => fs.lstatSync(path, { throwIfNoEntry: false }) !== undefined);
}

export function isFolder(path: string, role: FileRole): boolean {
  return guarded(path, role, 'read', () => isDirectory(path));
}

const isDirectory = (path: string) => fs.statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

/** The names in a folder; none where it doesn't exist. @throws FileTrouble */
export function listFolder(path: string, role: FileRole, recursive = false): string[] {
  const names = () => fs.readdirSync(path, { recursive, encoding: 'utf8' });
  return isThere(path, role) ? guarded(path, role, 'read', names) : [];
}

/** Writes a file, with its folders: all of it, or nothing, and an earlier one stays; flushed, in a power cut, too. @throws FileTrouble */
export function replaceText(path: string, text: Redacted, role: FileRole, options: ReplaceOptions = {}): void {
  makeFolder(dirname(path), role);
  guarded(path, role, 'written', () => replace(targetOf(path, role), text, options));
}

interface ReplaceOptions {
  /** Without one, that of the existing file, or 0644. */
  readonly mode?: number | undefined;
  readonly isFlushed?: boolean;
}

/** The same for the one file that secrets are for, never through a link. `mode`: its permissions, even if it exists. */
export function replaceUnredacted(path: string, text: string, role: FileRole, mode?: number): void {
  makeFolder(dirname(path), role);
  guarded(path, role, 'written', () => {
    refuseLink(path, role);
    replace(targetOf(path, role), text, { mode });
  });
}

function replace(target: string, text: string, { mode: given, isFlushed = false }: ReplaceOptions): void {
  const part = join(dirname(target), `.${basename(target).slice(0, 100)}.${randomUUID()}.part`);
  const mode = given ?? fs.statSync(target, { throwIfNoEntry: false })?.mode;
  try {
    const descriptor = fs.openSync(part, 'wx', (mode ?? 0o644) & 0o777);
    try {
      // The process's umask may have taken away what an earlier file had.
      if (mode !== undefined) fs.fchmodSync(descriptor, mode & 0o7777);
      fs.writeFileSync(descriptor, text);
      if (isFlushed) fs.fsyncSync(descriptor);
    } finally {
      fs.closeSync(descriptor);
    }
    fs.renameSync(part, target);
  } catch (error) {
    fs.rmSync(part, { force: true });
    throw error;
  }
}

/** Adds to a file, which is made where it is missing. @throws FileTrouble */
export function appendText(path: string, text: Redacted, role: FileRole): void {
  guarded(path, role, 'written', () => {
    refuseSpecial(path, role);
    fs.appendFileSync(path, text);
  });
}

export function makeFolder(path: string, role: FileRole): void {
  guarded(path, role, 'written', () => makeWithParents(resolve(path)));
}

/** Creates one folder at a time: in places without folders (/proc), Node's recursive mkdir loops forever and fills the memory. */
function makeWithParents(path: string): void {
  const missing: string[] = [];
  for (let at = path; !isDirectory(at) && at !== dirname(at); at = dirname(at)) missing.unshift(at);
  for (const each of missing)
    try {
      fs.mkdirSync(each);
    } catch (error) {
      // Another process may have made it in the meantime.
      if (!isDirectory(each)) throw error;
    }
}

/** Makes a folder and tries whether files can be made in it. @throws FileTrouble */
export function assertWritableFolder(path: string, role: FileRole): void {
  makeFolder(path, role);
  const probe = join(path, `.${randomUUID()}.probe`);
  guarded(path, role, 'written', () => {
    try {
      // A full disk still makes an empty file.
      fs.writeFileSync(probe, 'x'.repeat(4_096), { flag: 'wx' });
    } finally {
      fs.rmSync(probe, { force: true });
    }
  });
}

/** For a file that a library opens: nothing is there, or a regular file that this user may open. @throws FileTrouble */
export function assertRegularFile(path: string, role: FileRole, { readOnly = false } = {}): void {
  if (!isThere(path, role)) return;
  guarded(path, role, readOnly ? 'read' : 'written', () => {
    refuseSpecial(path, role);
    const access = readOnly ? fs.constants.O_RDONLY : fs.constants.O_RDWR;
    fs.closeSync(fs.openSync(path, access | (fs.constants.O_NONBLOCK ?? 0)));
  });
}

/** For a file that is written later, when it would be too late. @throws FileTrouble when this user can't write it. */
export function assertWritableFile(path: string, role: FileRole): void {
  assertRegularFile(path, role);
  assertWritableFolder(dirname(path), role);
}

/** Removes a file or a folder with all that is in it, if it is there; another process may still write there. @throws FileTrouble */
export function remove(path: string, role: FileRole): void {
  guarded(path, role, 'removed', () =>
    fs.rmSync(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 }),
  );
}

export function scratchFolder(prefix: string): string {
  return guarded(tmpdir(), fileRoles.scratch, 'written', () => fs.mkdtempSync(join(tmpdir(), prefix)));
}

export function guarded<T>(path: string, role: FileRole, verb: Verb, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw fileTrouble(error, path, role, verb);
  }
}

/** @throws FileTrouble when a symbolic link is at the path. */
export function refuseLink(path: string, role: FileRole): void {
  if (isLink(path, role))
    throw new FileTrouble(path, role, 'is a symbolic link, which could lead secrets elsewhere', 'Remove it', 'LINK');
}

function isLink(path: string, role: FileRole): boolean {
  return guarded(path, role, 'read', () => fs.lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false);
}

/** Where a file is really written: a link leads to its target. */
function targetOf(path: string, role: FileRole): string {
  if (!isThere(path, role)) return path;
  // A link to nothing ends here, with its own error.
  const target = fs.realpathSync(path);
  refuseSpecial(target, role);
  return target;
}
