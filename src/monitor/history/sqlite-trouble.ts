import { type FileRole, FileTrouble, fileRoles } from '../../config/files/index.ts';

export const CORRUPT = 11;

/** SQLite's primary result codes (sqlite.org/rescode.html), with what helps. */
const cures: Readonly<Record<number, string>> = {
  ...{ 5: 'Stop the process that holds it (`lsof` shows it)', 6: 'Stop the process that holds it (`lsof` shows it)' },
  ...{ 8: 'Grant access to it and to its folder', 14: 'Grant access to it and to its folder' },
  ...{ 10: 'Check the disk (`dmesg`)', 13: 'Free some space, and it continues by itself' },
};
const DAMAGED = 'It is unchanged: move it away to start a new one (`sqlite3 FILE .recover` recovers what is readable)';

/**
 * Explains an error of SQLite to a user. Other errors, and errors of SQLite that our own mistake caused, stay as they
 * are.
 */
export function troubleOf(error: unknown, file: string, role: FileRole = fileRoles.data): unknown {
  const { errcode, message = '' } = (error ?? {}) as { errcode?: unknown; message?: string };
  if (typeof errcode !== 'number') return error;
  const isDamaged = [CORRUPT, 26].includes(errcode & 0xff) || /^no such (table|column)/.test(message);
  const cure = isDamaged ? DAMAGED : cures[errcode & 0xff];
  return cure === undefined ? error : new FileTrouble(file, role, `can't be used: ${message}`, cure, 'SQLITE');
}
