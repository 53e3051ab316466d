import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { Redacted } from '../../redaction/index.ts';
import { type FileRole, FileTrouble, fileRoles, fileTrouble, type Verb } from './file-trouble.ts';

// Opens every file that a user may have damaged or replaced. An error names the path and the cure. Only regular files are opened. A file is
// replaced as a whole or stays unchanged. Every function throws FileTrouble.

/** Size limit of a file, in bytes. No file that the program reads is as large. */
const MAX_BYTES = 64_000_000;

export function guarded<T>(path: string, role: FileRole, verb: Verb, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw fileTrouble(error, path, role, verb);
  }
}

/** The text of a file, without the byte order mark that editors on Windows write. */
export function readText(path: string, role: FileRole, maxBytes = MAX_BYTES): string {
  return readBytes(path, role, maxBytes)
    .toString('utf8')
    .replace(/^\uFEFF/, '');
}

export function readBytes(path: string, role: FileRole, maxBytes = MAX_BYTES): Buffer {
  return guarded(path, role, 'read', () => {
    if ((refuseSpecial(path, role) ?? 0) > maxBytes)
      throw new FileTrouble(path, role, `has more than ${maxBytes} bytes`, 'Put the right file there', 'SIZE');
    return fs.readFileSync(path);
  });
}

/** The text of a file; `undefined` if nothing is at the path. A link to nothing is an error. */
export function readTextIfAny(path: string, role: FileRole, maxBytes = MAX_BYTES): string | undefined {
  // Some files are looked for with every request, and checking for a missing file is faster than catching an error.
  while (isThere(path, role))
    try {
      return readText(path, role, maxBytes);
    } catch (error) {
      // Between the check and the opening, the file may disappear and another one may take its place, so check again.
      if (!(error instanceof FileTrouble) || error.code !== 'ENOENT' || isLink(path, role)) throw error;
    }
  return undefined;
}

export function realPath(path: string, role: FileRole): string {
  return guarded(path, role, 'read', () => fs.realpathSync(path));
}

/** Whether anything is at the path, even a link to nothing. */
export function isThere(path: string, role: FileRole): boolean {
  return guarded(path, role, 'read', () => fs.lstatSync(path, { throwIfNoEntry: false }) !== undefined);
}

export function isFolder(path: string, role: FileRole): boolean {
  return guarded(path, role, 'read', () => fs.statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false);
}

/** The names in a folder; none if the folder doesn't exist. */
export function listFolder(path: string, role: FileRole): string[] {
  const names = () => fs.readdirSync(path, 'utf8');
  return isThere(path, role) ? guarded(path, role, 'read', names) : [];
}

interface ReplaceOptions {
  /** Mode that the file gets, even if it exists already. Default: the mode of the existing file; 0644 for a new file. */
  readonly mode?: number | undefined;
  /** Flushes the file to the disk before the function returns, so that the file survives a power cut. */
  readonly isFlushed?: boolean;
}

/** Writes a file, and creates its folders. If anything fails, nothing is written, and an existing file stays. */
export function replaceText(path: string, text: Redacted, role: FileRole, options: ReplaceOptions = {}): void {
  replaceFile(path, text, role, options);
}

/** The same as `replaceText` for a file that need not be text. */
export function replaceFile(
  path: string,
  content: Redacted | Redacted<Uint8Array>,
  role: FileRole,
  options: ReplaceOptions = {},
): void {
  makeFolder(dirname(path), role);
  guarded(path, role, 'written', () => {
    // The target of a link is replaced, not the link. For a link to nothing, `realpathSync` throws.
    const target = isThere(path, role) ? fs.realpathSync(path) : path;
    refuseSpecial(target, role);
    const part = join(dirname(target), `.${basename(target).slice(0, 100)}.${randomUUID()}.part`);
    const mode = options.mode ?? fs.statSync(target, { throwIfNoEntry: false })?.mode;
    try {
      fs.writeFileSync(part, content, { flag: 'wx', mode: (mode ?? 0o644) & 0o777, flush: options.isFlushed ?? false });
      // The process's umask may have removed permissions.
      if (mode !== undefined) fs.chmodSync(part, mode & 0o7777);
      fs.renameSync(part, target);
    } catch (error) {
      fs.rmSync(part, { force: true });
      throw error;
    }
  });
}

/** Appends to a file. Creates the file if it is missing. */
export function appendText(path: string, text: Redacted, role: FileRole): void {
  guarded(path, role, 'written', () => fs.appendFileSync(path, text));
}

export function makeFolder(path: string, role: FileRole): void {
  guarded(path, role, 'written', () => fs.mkdirSync(path, { recursive: true }));
}

/** Creates a folder, and checks that files can be written there. */
export function assertWritableFolder(path: string, role: FileRole): void {
  makeFolder(path, role);
  const probe = join(path, `.${randomUUID()}.probe`);
  guarded(path, role, 'written', () => {
    try {
      // A full disk still allows an empty file, so write 4 kB.
      fs.writeFileSync(probe, 'x'.repeat(4_096), { flag: 'wx' });
    } finally {
      fs.rmSync(probe, { force: true });
    }
  });
}

/** Checks a path before a library opens it. The path must be free, or lead to a regular file that this user may open. */
export function assertRegularFile(path: string, role: FileRole, { readOnly = false } = {}): void {
  if (!isThere(path, role)) return;
  guarded(path, role, readOnly ? 'read' : 'written', () => {
    refuseSpecial(path, role);
    fs.closeSync(fs.openSync(path, readOnly ? 'r' : 'r+'));
  });
}

/** Checks in advance that a file can be written, because at the time of writing an error would come too late. */
export function assertWritableFile(path: string, role: FileRole): void {
  assertRegularFile(path, role);
  assertWritableFolder(dirname(path), role);
}

/** Removes a file, or a folder with its content, if it exists. Tries several times, because another process may still write there. */
export function remove(path: string, role: FileRole): void {
  guarded(path, role, 'removed', () =>
    fs.rmSync(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 }),
  );
}

export function scratchFolder(prefix: string): string {
  return guarded(tmpdir(), fileRoles.scratch, 'written', () => fs.mkdtempSync(join(tmpdir(), prefix)));
}

export function isLink(path: string, role: FileRole): boolean {
  return guarded(path, role, 'read', () => fs.lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false);
}

/** The size of a regular file; `undefined` if there is none. @throws FileTrouble for anything else, because opening it may block indefinitely. */
export function refuseSpecial(path: string, role: FileRole): number | undefined {
  const found = fs.statSync(path, { throwIfNoEntry: false });
  if (!found || found.isFile()) return found?.size;
  throw new FileTrouble(path, role, 'is not a regular file', 'Put a regular file there', 'KIND');
}
