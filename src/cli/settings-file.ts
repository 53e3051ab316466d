/** The monitor's settings, where no other file is named. */
export const SETTINGS_FILE = 'monitor.env';
