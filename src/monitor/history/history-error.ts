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

/** The history can't be read or written, for a reason that is the machine's or the user's to mend. */
export class HistoryTrouble extends ConfigurationError {}

/** An error of SQLite as what it means for whoever runs the monitor; any other error comes back as it is. */
export function troubleOf(error: unknown, file: string): unknown {
  const code = (error as { errcode?: unknown } | undefined)?.errcode;
  const text = typeof code === 'number' ? meaning(code & 0xff, file) : undefined;
  return text ? new HistoryTrouble(text, { cause: error }) : error;
}

function meaning(code: number, file: string): string | undefined {
  switch (code) {
    case BUSY:
    case LOCKED:
      return `${file} is locked by another process. Nothing was lost; end what holds it (\`lsof ${file}\` names it).`;
    case FULL:
      return `The disk that holds ${file} is full. What was committed is safe; make room, and the monitor goes on by itself.`;
    case READONLY:
    case CANTOPEN:
      return `${file} can't be opened for writing. Check that its folder exists and belongs to this user.`;
    case IOERR:
      return `The disk that holds ${file} reported an error. What was committed before is safe if the disk is; check it (\`dmesg\`).`;
    case CORRUPT:
    case NOTADB:
      return `${file} is damaged, or no history of the monitor's. It was left as it is. Move it away to start a new one; \`sqlite3 ${file} .recover\` saves what can be read.`;
    default:
      return undefined;
  }
}
