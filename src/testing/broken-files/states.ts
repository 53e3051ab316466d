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

/** A way in which a file or folder can be unusable. */
export interface BrokenState {
  readonly name: string;
  /** Brings about the state; `path` holds what a healthy run needs. */
  readonly make: (path: string) => void;
  /** Undoes what a later state would stumble over. */
  readonly end?: (path: string) => void;
  /** Only a user with fewer rights than root meets it. */
  readonly needsOrdinaryUser?: boolean;
  /** It is a state of a file system that the test mounts. */
  readonly needsMount?: boolean;
}

const gone = (path: string) => rmSync(path, { recursive: true, force: true });
const instead = (make: (path: string) => void) => (path: string) => {
  gone(path);
  make(path);
};

/** Where a mounted sandbox is full or read-only; see `sandbox`. */
const filler = (path: string) => join(mountOf(path), '.filler');

/** Made once: each needs a program. */
function fifo(path: string): string {
  const file = join(mountOf(path), '.fifo');
  if (!existsSync(file)) execFileSync('mkfifo', ['-m', '666', file]);
  return file;
}

/** Every way. Each is tried on every file that the program opens. */
export const brokenStates: readonly BrokenState[] = [
  { name: 'missing', make: gone },
  {
    name: 'unreadable',
    make: (path) => chmodSync(path, 0),
    end: (path) => chmodSync(path, 0o777),
    needsOrdinaryUser: true,
  },
  { name: 'a folder', make: instead((path) => mkdirSync(path)) },
  { name: 'a file', make: instead((path) => writeFileSync(path, 'not a folder')) },
  { name: 'a FIFO', make: instead((path) => linkSync(fifo(path), path)) },
  { name: 'a device', make: instead((path) => symlinkSync('/dev/full', path)) },
  { name: 'a dangling link', make: instead((path) => symlinkSync(join(dirname(path), 'nowhere', 'at-all'), path)) },
  { name: 'a link to itself', make: instead((path) => symlinkSync(path, path)) },
  {
    name: 'garbage',
    make: (path) => writeFileSync(path, Buffer.from(Array.from({ length: 9_000 }, (_, n) => (n * 89) % 251))),
  },
  { name: 'empty', make: (path) => truncateSync(path) },
  { name: 'half', make: (path) => truncateSync(path, Math.floor(statSync(path).size / 2)) },
  {
    name: 'in a read-only folder',
    make: (path) => chmodSync(folderOf(path), 0o555),
    end: (path) => chmodSync(folderOf(path), 0o777),
    needsOrdinaryUser: true,
  },
  {
    name: 'on a full disk',
    make: (path) => fill(filler(path)),
    end: (path) => gone(filler(path)),
    needsMount: true,
  },
  {
    name: 'on a read-only file system',
    make: (path) => execFileSync('mount', ['-o', 'remount,ro', mountOf(path)]),
    end: (path) => execFileSync('mount', ['-o', 'remount,rw', mountOf(path)]),
    needsMount: true,
  },
];

/** A folder that can't be written is one itself; a file is in one. */
function folderOf(path: string): string {
  return existsSync(path) && statSync(path).isDirectory() ? path : dirname(path);
}

function mountOf(path: string): string {
  return path.slice(0, path.indexOf('/sandbox') + '/sandbox'.length);
}

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
