import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileRoles } from '../../config/files/index.ts';
import type { Ended } from '../programs/run-in-process.ts';
import type { Sandbox } from './sandbox.ts';

export type Role = keyof typeof fileRoles;

/** A file or folder that the program opens, and a run that opens it. */
export interface Opened {
  readonly path: string;
  /** What a healthy run needs in it, or what puts that there; without it, it is a folder. */
  readonly holds?: string | (() => void);
  /** Further files that the run needs, by path. The environment `my` is always there. */
  readonly beside?: Readonly<Record<string, string>>;
  /** Default: the name of its role. */
  readonly name?: string;
  readonly run: () => Promise<Ended>;
  /** How a healthy run ends; default: 0. */
  readonly code?: number;
  /** States that are no mistake here: nothing is needed of it, or it is made anew. */
  readonly fine: readonly string[];
  /** States that a test can't bring about when it changes its user. */
  readonly untriedByRoot?: readonly string[];
}

export type OpenedFile = ReturnType<typeof openedFile>;

/** The folders of a user, and the text of an environment in them. */
export interface Setting extends Pick<Sandbox, 'at'> {
  readonly environmentText: string;
}

/** The file or files that are opened, by what they are for. */
export type OpenedIn = Readonly<Record<Role, Opened | readonly Opened[]>>;

/** States that don't matter to a file that is only read. */
export const readOnly = ['in a read-only folder', 'on a full disk', 'on a read-only file system'];

/** States that don't matter to a file whose content is replaced. */
export const content = ['garbage', 'empty', 'half'];

/** States that don't matter to a folder that is only a help. */
export const dispensable = [
  ...['missing', 'unreadable', 'a file', 'a FIFO', 'a device', 'a dangling link', 'a link to itself'],
  ...readOnly,
];

export function openedFile(role: Role, opened: Opened, { at, environmentText }: Setting) {
  const { path, holds, beside = {}, name = fileRoles[role].what, run, code = 0, fine, untriedByRoot = [] } = opened;
  /** Puts there what a healthy run needs, changeable by anybody. */
  const put = () => {
    write(at('environments', 'my.env'), environmentText);
    for (const [other, text] of Object.entries(beside)) write(other, text);
    if (typeof holds === 'function') holds();
    else if (holds === undefined) mkdirSync(path, { recursive: true, mode: 0o777 });
    else write(path, holds);
    if (existsSync(path)) chmodSync(path, 0o777);
  };
  return { name, path, isFolder: holds === undefined, put, run, code, fine, untriedByRoot };
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o777 });
  writeFileSync(path, text, { mode: 0o666 });
}
