export { sendTest } from './alerting/channel.ts';
export { channelTypes } from './alerting/channels/registry.ts';
export { HistoryDatabase, troubleOf } from './history/database.ts';
export { type Exported, exportLines, exports } from './history/export.ts';
export { historyFile } from './monitor.ts';
export { usedUpText } from './probe/targets.ts';
export { settingKeys } from './settings/keys.ts';
export { loadSettings } from './settings/load.ts';
export { startMonitor } from './status-page/server.ts';
