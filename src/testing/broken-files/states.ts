import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

export interface BrokenState {
  readonly name: string;
  /** Brings about the state; `path` holds what a healthy run needs. */
  readonly make: (path: string) => void;
  /** Undoes what a later state would stumble over. */
  readonly end?: (path: string) => void;
  /** Only a user with fewer rights than root meets it, or it is a state of a file system that the test mounts. */
  readonly needs?: 'ordinary user' | 'mount';
}

const gone = (path: string) => rmSync(path, { recursive: true, force: true });
const instead = (make: (path: string) => void) => (path: string) => {
  gone(path);
  make(path);
};

/** Of a file in the sandbox: the whole sandbox, which is full or read-only where it is mounted. */
const sandboxOf = (path: string) => path.replace(/(\/sandbox)\/.*/, '$1');
const filler = (path: string) => join(sandboxOf(path), '.filler');

/** Made once: each needs a program. */
function fifo(path: string): string {
  const file = join(sandboxOf(path), '.fifo');
  if (!existsSync(file)) execFileSync('mkfifo', ['-m', '666', file]);
  return file;
}

const withMode = (mode: number, at: (path: string) => string) => (path: string) => chmodSync(at(path), mode);
const itself = (path: string) => path;
/** A folder that can't be written is one itself; a file is in one. */
const folderOf = (path: string) => (existsSync(path) && statSync(path).isDirectory() ? path : dirname(path));
const remounted = (mode: string) => (path: string) => execFileSync('mount', ['-o', `remount,${mode}`, sandboxOf(path)]);

const noise = Buffer.from(Array.from({ length: 9_000 }, (_, n) => (n * 89) % 251));

/** Every way. Each is tried on every file that the program opens. */
export const brokenStates: readonly BrokenState[] = [
  { name: 'missing', make: gone },
  { name: 'unreadable', make: withMode(0, itself), end: withMode(0o777, itself), needs: 'ordinary user' },
  { name: 'a folder', make: instead((path) => mkdirSync(path)) },
  { name: 'a file', make: instead((path) => writeFileSync(path, 'not a folder')) },
  { name: 'a FIFO', make: instead((path) => linkSync(fifo(path), path)) },
  { name: 'a device', make: instead((path) => symlinkSync('/dev/full', path)) },
  { name: 'a dangling link', make: instead((path) => symlinkSync(join(dirname(path), 'nowhere', 'at-all'), path)) },
  { name: 'a link to itself', make: instead((path) => symlinkSync(path, path)) },
  { name: 'garbage', make: (path) => writeFileSync(path, noise) },
  { name: 'empty', make: (path) => truncateSync(path) },
  { name: 'half', make: (path) => truncateSync(path, Math.floor(statSync(path).size / 2)) },
  {
    name: 'in a read-only folder',
    make: withMode(0o555, folderOf),
    end: withMode(0o777, folderOf),
    needs: 'ordinary user',
  },
  { name: 'on a full disk', make: (path) => fill(filler(path)), end: (path) => gone(filler(path)), needs: 'mount' },
  { name: 'on a read-only file system', make: remounted('ro'), end: remounted('rw'), needs: 'mount' },
];

function fill(path: string): void {
  const chunk = Buffer.alloc(64 * 1024, 'x');
  for (let size = chunk.length; size > 0; size = Math.floor(size / 2)) {
    try {
      for (;;) writeFileSync(path, chunk.subarray(0, size), { flag: 'a' });
    } catch {
      // Full for pieces of this size.
    }
  }
}
