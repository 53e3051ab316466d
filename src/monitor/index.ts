export { channelTypes } from './alerting/registry.ts';
export { sendTest } from './alerting/send-test.ts';
export { HistoryDatabase } from './history/database.ts';
export { type Exported, exportLines, exports } from './history/export.ts';
export { historyFile } from './monitor.ts';
export { settingKeys } from './settings/keys.ts';
export { loadSettings } from './settings/load.ts';
export { startMonitor } from './start.ts';
export { undoAgain } from './undo-again.ts';
