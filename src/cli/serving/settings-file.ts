/** The default settings file of the monitor. */
export const SETTINGS_FILE = 'monitor.env';
