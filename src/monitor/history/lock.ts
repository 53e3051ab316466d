import { DatabaseSync } from 'node:sqlite';
import { HistoryTrouble } from './history-error.ts';

/**
 * Makes this process the only monitor of a data folder. The operating system holds the lock, so it ends with the
 * process, even after a kill; readers such as `history export` don't need it.
 * @throws HistoryTrouble when another monitor holds the lock.
 */
export function lockFolder(file: string): { release(): void } {
  const db = new DatabaseSync(file, { timeout: 0 });
  try {
    db.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
  } catch (error) {
    db.close();
    if (((error as { errcode?: number }).errcode ?? 0) !== 5) throw error;
    throw new HistoryTrouble(
      `Another monitor is using this data folder (${file} is locked). Stop it, or choose another --data folder.`,
      { cause: error },
    );
  }
  return { release: () => db.close() };
}
