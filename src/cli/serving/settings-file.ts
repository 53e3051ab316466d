import { loadSettings } from '../../monitor/index.ts';

export const SETTINGS_FILE = 'monitor.env';

/** The monitor's settings from the file that `--settings` names, or the usual one. @throws ConfigurationError */
export function settingsFrom(named: string | undefined, flags: Readonly<Record<string, string>> = {}) {
  return loadSettings({ file: named ?? SETTINGS_FILE, isNamed: named !== undefined, flags, process: process.env });
}
