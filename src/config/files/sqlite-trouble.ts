import { FileTrouble } from './file-trouble.ts';
import type { FileRole } from './roles.ts';

/** SQLite's primary result codes (sqlite.org/rescode.html). */
const ERROR = 1;
export const CORRUPT = 11;

type Meaning = readonly [problem: string, cure: string];

const locked: Meaning = ['is locked by another process; no data is lost', 'Stop that process (`lsof FILE` shows it)'];
const closed: Meaning = [
  "can't be opened: SQLite needs to write files next to it, and permission is denied",
  'Grant access to its folder (chown, chmod)',
];
const damaged: Meaning = [
  'is damaged or not WHAT; it is unchanged',
  'Move it away to start a new one (`sqlite3 FILE .recover` recovers what is readable)',
];

const meanings: Readonly<Record<number, Meaning>> = {
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
  const found = code !== ERROR || /^no such (table|column)/.test(message) ? meanings[code] : undefined;
  if (!found) return undefined;
  const [problem, cure] = found.map((text) => text.replace('FILE', () => file).replace('WHAT', role.what));
  return new FileTrouble(file, role, problem ?? '', cure ?? '', 'SQLITE');
}
