import { FileTrouble } from './file-trouble.ts';
import type { FileRole } from './roles.ts';

/** SQLite's primary result codes (sqlite.org/rescode.html). */
const ERROR = 1;
const BUSY = 5;
const LOCKED = 6;
const READONLY = 8;
const IOERR = 10;
export const CORRUPT = 11;
const FULL = 13;
const CANTOPEN = 14;
const NOTADB = 26;

/** An error of SQLite as what it means for a user; `undefined` when it is a mistake of our own, or another's error. */
export function sqliteTrouble(error: unknown, file: string, role: FileRole): FileTrouble | undefined {
  const { errcode, message = '' } = (error ?? {}) as { errcode?: unknown; message?: string };
  const found = typeof errcode === 'number' ? meaning(errcode & 0xff, message, file, role) : undefined;
  return found && new FileTrouble(file, role, found[0], found[1], 'SQLITE');
}

function meaning(code: number, message: string, file: string, role: FileRole): readonly [string, string] | undefined {
  switch (code) {
    case BUSY:
    case LOCKED:
      return ['is locked by another process; no data is lost', `Stop that process (\`lsof ${file}\` shows it)`];
    case FULL:
      return [
        "can't be written: its disk is full; committed data is safe",
        'Free some space, and it continues by itself',
      ];
    case READONLY:
    case CANTOPEN:
      return [
        "can't be opened: SQLite needs to write files next to it, and permission is denied",
        'Grant access to its folder (chown, chmod)',
      ];
    case IOERR:
      return ['is on a disk that reports I/O errors', 'Check the disk (`dmesg`)'];
    case ERROR:
      return /^no such (table|column)/.test(message) ? damaged(file, role) : undefined;
    case CORRUPT:
    case NOTADB:
      return damaged(file, role);
    default:
      return undefined;
  }
}

function damaged(file: string, role: FileRole): readonly [string, string] {
  return [
    `is damaged or not ${role.what}; it is unchanged`,
    `Move it away to start a new one (\`sqlite3 ${file} .recover\` recovers what is readable)`,
  ];
}
