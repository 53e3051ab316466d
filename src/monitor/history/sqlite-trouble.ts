import { FileTrouble, fileRoles } from '../../environment/files/index.ts';

/** SQLite's primary result codes (sqlite.org/rescode.html), each with its remedy for the user. */
const cures: Readonly<Record<number, string>> = {
  ...{ 5: 'Stop the process that holds it (`lsof` shows it)', 6: 'Stop the process that holds it (`lsof` shows it)' },
  ...{ 8: 'Grant access to it and to its folder', 14: 'Grant access to it and to its folder' },
  ...{ 10: 'Check the disk (`dmesg`)', 13: 'Free some space, and it continues by itself' },
};
const DAMAGED = 'It is unchanged: move it away to start a new one (`sqlite3 FILE .recover` recovers what is readable)';

/** Explains an error of SQLite, or damaged JSON, to a user. Returns any other error, such as a bug of Sextant, unchanged. */
export function troubleOf(error: unknown, file: string): unknown {
  const isJson = error instanceof SyntaxError;
  const { errcode, message } = (isJson ? { errcode: 11, message: 'malformed JSON' } : error) as {
    errcode?: number;
    message: string;
  };
  if (errcode === undefined) return error;
  const isDamaged = [11, 26].includes(errcode & 0xff) || /^no such (table|column)/.test(message);
  const cure = isDamaged ? DAMAGED : cures[errcode & 0xff];
  return cure ? new FileTrouble(file, fileRoles.data, `can't be used: ${message}`, cure, 'SQLITE') : error;
}
