import { createHash } from 'node:crypto';
import { closeSync, existsSync, mkdirSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { stateFolder } from './output-folders.ts';

/** An id out of STORED_ITEM_IDS that is this scenario's alone. */
export interface ClaimedItem {
  readonly id: string;
  /** Gives it back: it is known to be there still. */
  release(): void;
}

/**
 * Claims the first id that no run used before: a deleted item can't be deleted again. A claim is a file made
 * exclusively, so that two workers never get the same id.
 */
export function claimItem(environment: string, ids: readonly string[]): ClaimedItem | undefined {
  mkdirSync(folderOf(environment), { recursive: true });
  for (const id of ids) {
    const file = fileOf(environment, id);
    try {
      closeSync(openSync(file, 'wx'));
      return { id, release: () => rmSync(file, { force: true }) };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
  return undefined;
}

/** The ids that no run has used. */
export function unusedItems(environment: string, ids: readonly string[]): string[] {
  return ids.filter((id) => !existsSync(fileOf(environment, id)));
}

function fileOf(environment: string, id: string): string {
  return join(folderOf(environment), createHash('sha256').update(id).digest('hex').slice(0, 24));
}

function folderOf(environment: string): string {
  return join(stateFolder(), 'used-items', environment);
}
