import { type FileRole, fileRoles } from '../../config/files/index.ts';
import { sqliteTrouble } from '../../config/files/sqlite-trouble.ts';
import { ConfigurationError } from '../../config/index.ts';

/** The history can't be read or written, for a reason that is the machine's or the user's to mend. */
export class HistoryTrouble extends ConfigurationError {}

/** An error of SQLite as what it means for whoever runs the monitor; any other error comes back as it is. */
export function troubleOf(error: unknown, file: string, role: FileRole = fileRoles.history): unknown {
  const trouble = sqliteTrouble(error, file, role);
  return trouble ? new HistoryTrouble(trouble.message, { cause: error }) : error;
}
