import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { fileRoles } from '../../config/files/index.ts';
import { discardJournals } from '../../engine/safety/index.ts';
import { type Files, writeFiles } from '../own-folder.ts';
import type { Ended } from '../programs/run-in-process.ts';

const folders = ['environments', 'state', 'output', 'data', 'surveys', 'observed', 'scratch', 'work'] as const;
type Folder = (typeof folders)[number];

type Path = Folder | `${Folder}/${string}`;

/** A file or folder that the program opens, and a run that opens it. */
export interface Opened {
  readonly path: Path;
  /** What a healthy run needs in it, or what puts that there; without it, it is a folder. */
  readonly holds?: string | (() => void);
  /** Further files that the run needs. The environment `my` is always there. */
  readonly beside?: { readonly [path in Path]?: unknown };
  /** Default: what its role is for. */
  readonly name?: string;
  readonly run: () => Promise<Ended>;
  /** How a healthy run ends; default: 0. */
  readonly code?: number;
  /** States that are no mistake here: nothing is needed of it, or it is made anew. */
  readonly fine: readonly string[];
  /** States that a test can't bring about when it changes its user. */
  readonly untriedByRoot?: readonly string[];
}

/** The folders of a user, and the text of an environment in them. */
export interface Setting extends Pick<Sandbox, 'at'> {
  readonly environmentText: string;
}

/** The file or files that are opened, by what they are for. */
export type OpenedIn = Readonly<Record<keyof typeof fileRoles, Opened | readonly Opened[]>>;

/** States that don't matter to a file that is only read. */
export const readOnly = ['in a read-only folder', 'on a full disk', 'on a read-only file system'];

/** States that don't matter to a file whose content is replaced. */
export const content = ['garbage', 'empty', 'half'];

/** States that don't matter to a folder that is only a help. */
export const dispensable = [
  ...['missing', 'unreadable', 'a file', 'a FIFO', 'a device', 'a dangling link', 'a link to itself'],
  ...readOnly,
];

export type Sandbox = ReturnType<typeof sandbox>;

const LITTLE = '1500k';

/** Folders that stand for all that a user has, on a small disk where that can be mounted. */
export function sandbox() {
  const outer = mkdtempSync(join(tmpdir(), 'sextant-broken-'));
  const root = join(outer, 'sandbox');
  mkdirSync(root);
  const isMounted = mounts(root);
  chmodSync(outer, 0o777);
  const end = () => {
    process.off('exit', end);
    if (isMounted) execFileSync('umount', ['-l', root]);
    rmSync(outer, { recursive: true, force: true });
  };
  // Nothing stays mounted, however the tests end.
  process.on('exit', end);
  const at = (path: Path) => join(root, path);
  const set = { SEXTANT_ENVIRONMENTS: at('environments'), SEXTANT_STATE: at('state'), SEXTANT_OUTPUT: at('output') };
  const more = { SEXTANT_SURVEYS: at('surveys'), SEXTANT_OBSERVED: at('observed'), TMPDIR: at('scratch') };
  Object.assign(process.env, set, more);
  return {
    /** A separate file system, so that it can be full or read-only. */
    isMounted,
    at,
    /** Empties it, and puts there what a healthy run needs, changeable by anybody. */
    prepare: ({ path, holds, beside }: Opened, environmentText: string) => {
      // As a command's process does at its end.
      discardJournals();
      for (const folder of folders) {
        rmSync(at(folder), { recursive: true, force: true });
        mkdirSync(at(folder));
      }
      const text: Files = typeof holds === 'string' ? { [path]: holds } : {};
      writeFiles(root, { 'environments/my.env': environmentText, ...beside, ...text });
      if (typeof holds === 'function') holds();
      else if (holds === undefined) mkdirSync(at(path), { recursive: true });
      if (existsSync(at(path))) chmodSync(at(path), 0o777);
    },
    end,
  };
}

function mounts(path: string): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${LITTLE},mode=777`, 'tmpfs', path], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
