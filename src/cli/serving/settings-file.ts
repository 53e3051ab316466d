import { fileRoles } from '../../environment/files/index.ts';
import { readVariablesFile } from '../../environment/index.ts';
import { loadSettings } from '../../monitor/index.ts';
import { warn } from '../output/terminal.ts';

export const SETTINGS_FILE = 'monitor.env';

/** The monitor's settings from the file that `--settings` names; without this option, from `monitor.env`. @throws ConfigurationError */
export function settingsFrom(named: string | undefined, flags: Readonly<Record<string, string>> = {}) {
  const file = named ?? SETTINGS_FILE;
  const settings = loadSettings({ file, isNamed: named !== undefined, flags, process: process.env });
  const { losses } = readVariablesFile(file, fileRoles.settings, { mayBeMissing: true });
  for (const { line, key, text } of losses) warn(`Warning: ${file}, line ${line}, ${key}: ${text}`);
  return settings;
}
