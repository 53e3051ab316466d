import { DatabaseSync } from 'node:sqlite';
import { assertRegularFile, fileRoles } from '../../config/files/index.ts';
import { HistoryTrouble, troubleOf } from './database.ts';

/**
 * Makes this process the only monitor of a data folder. The operating system holds the lock, so it ends with the
 * process, even after a kill; readers such as `history export` don't need it.
 * @throws HistoryTrouble when another monitor holds the lock. @throws FileTrouble
 */
export function lockFolder(file: string): { release(): void } {
  assertRegularFile(file, fileRoles.lock);
  let db: DatabaseSync | undefined;
  try {
    db = new DatabaseSync(file, { timeout: 0 });
    db.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
  } catch (error) {
    db?.close();
    if (((error as { errcode?: number }).errcode ?? 0) !== 5) throw troubleOf(error, file, fileRoles.lock);
    throw new HistoryTrouble(
      `Another monitor is using this data folder (${file} is locked). Stop it, or choose another --data folder.`,
      { cause: error },
    );
  }
  return { release: () => db?.close() };
}
