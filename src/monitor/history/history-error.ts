import { ConfigurationError } from '../../config/index.ts';

/** SQLite's primary result codes (sqlite.org/rescode.html). */
const BUSY = 5;
const LOCKED = 6;
const READONLY = 8;
const IOERR = 10;
const CORRUPT = 11;
const FULL = 13;
const CANTOPEN = 14;
const NOTADB = 26;

/** The history can't be read or written, and the user or the machine must fix that. */
export class HistoryTrouble extends ConfigurationError {}

/** Translates an SQLite error for the operator of the monitor; returns any other error unchanged. */
export function troubleOf(error: unknown, file: string): unknown {
  const code = (error as { errcode?: unknown } | undefined)?.errcode;
  const text = typeof code === 'number' ? meaning(code & 0xff, file) : undefined;
  return text ? new HistoryTrouble(text, { cause: error }) : error;
}

function meaning(code: number, file: string): string | undefined {
  switch (code) {
    case BUSY:
    case LOCKED:
      return `${file} is locked by another process. No data is lost. Stop that process (\`lsof ${file}\` shows it).`;
    case FULL:
      return `The disk that holds ${file} is full. Committed data is safe. Free some space: the monitor then continues by itself.`;
    case READONLY:
    case CANTOPEN:
      return `${file} cannot be opened for writing. Check that its folder exists and belongs to this user.`;
    case IOERR:
      return `The disk that holds ${file} reported an I/O error. Check the disk (\`dmesg\`).`;
    case CORRUPT:
    case NOTADB:
      return `${file} is damaged or not a monitor history. The file is unchanged. Move it away to start a new one; \`sqlite3 ${file} .recover\` recovers what is readable.`;
    default:
      return undefined;
  }
}
