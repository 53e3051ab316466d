import { type FileRole, fileRoles } from '../../config/files/index.ts';
import { sqliteTrouble } from '../../config/files/sqlite-trouble.ts';
import { ConfigurationError } from '../../config/index.ts';

/** The history can't be read or written, and the user or the machine must fix that. */
export class HistoryTrouble extends ConfigurationError {}

/** Translates an SQLite error for the operator of the monitor; returns any other error unchanged. */
export function troubleOf(error: unknown, file: string, role: FileRole = fileRoles.history): unknown {
  const trouble = sqliteTrouble(error, file, role);
  return trouble ? new HistoryTrouble(trouble.message, { cause: error }) : error;
}
