/*
 * Runs scenarios on a schedule, stores their history, sends notices, and serves the status page and metrics.
 * Callers pass environments, scenarios, settings, and a folder for the monitor's data.
 * The monitor runs until somebody stops it.
 */
export { sendTest } from './alerting/channel.ts';
export { channelTypes } from './alerting/channels/registry.ts';
export { HistoryDatabase } from './history/database.ts';
export { type Exported, exportLines, exports } from './history/export.ts';
export { troubleOf } from './history/sqlite-trouble.ts';
export { historyFile } from './monitor.ts';
export { usedUpText } from './probe/targets.ts';
export { settingKeys } from './settings/keys.ts';
export { loadSettings } from './settings/load.ts';
export { startMonitor } from './status-page/server.ts';
