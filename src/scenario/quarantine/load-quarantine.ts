import { join } from 'node:path';
import { fileRoles, readTextIfAny } from '../../config/files/index.ts';
import { shown } from '../../config/files/shown.ts';
import { ConfigurationError, environmentsFolder } from '../../config/index.ts';
import { parseQuarantine, type Quarantined } from './quarantine.ts';

/**
 * The quarantine list, `quarantine.json` in the folder of the environments; empty without the file.
 * @throws ConfigurationError with all problems; FileTrouble
 */
export function loadQuarantine(folder = environmentsFolder()): readonly Quarantined[] {
  const path = join(folder, 'quarantine.json');
  const text = readTextIfAny(path, fileRoles.quarantine);
  if (text === undefined) return [];
  const { entries, problems } = parseQuarantine(text);
  if (problems.length > 0)
    throw new ConfigurationError(
      `${shown(path)} (${fileRoles.quarantine.what}) can't be used: ${problems.join('; ')}.`,
    );
  return entries;
}
