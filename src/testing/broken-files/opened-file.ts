import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileRoles } from '../../config/files/index.ts';
import type { Ended } from '../run-in-process.ts';
import type { Sandbox } from './sandbox.ts';

/** A file or folder that the program opens. */
export interface OpenedFile {
  readonly name: string;
  readonly role: keyof typeof fileRoles;
  readonly kind: 'file' | 'folder';
  readonly path: string;
  /** Puts there what a healthy run needs. */
  readonly put: () => void;
  readonly run: () => Promise<Ended>;
  /** How a healthy run ends. */
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

/** The files that are opened in some roles. */
export type OpenedIn<Role extends OpenedFile['role']> = Readonly<Record<Role, readonly OpenedFile[]>>;

/** States that don't matter to a file that is only read. */
export const readOnly = ['in a read-only folder', 'on a full disk', 'on a read-only file system'];

/** States that don't matter to a file whose content is replaced. */
export const content = ['garbage', 'empty', 'half'];

/** Writes a file that anybody may change. */
export const text = (path: string, what: string) => () => {
  mkdirSync(dirname(path), { recursive: true, mode: 0o777 });
  writeFileSync(path, what, { mode: 0o666 });
};

export const folder = (path: string) => () => void mkdirSync(path, { recursive: true, mode: 0o777 });

export const file = (
  role: OpenedFile['role'],
  path: string,
  rest: Omit<OpenedFile, 'role' | 'kind' | 'path' | 'name'>,
) => ({ name: fileRoles[role].what, role, kind: 'file', path, ...rest }) satisfies OpenedFile;
