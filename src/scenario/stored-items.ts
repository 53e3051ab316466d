import { hash } from 'node:crypto';
import { join } from 'node:path';
import { claimFile, fileRoles, isThere, remove } from '../config/files/index.ts';
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
 * @throws FileTrouble
 */
export function claimItem(environment: string, ids: readonly string[]): ClaimedItem | undefined {
  for (const id of ids) {
    const file = fileOf(environment, id);
    if (claimFile(file, fileRoles.usedItems)) return { id, release: () => remove(file, fileRoles.usedItems) };
  }
  return undefined;
}

/** The ids that no run has used. */
export function unusedItems(environment: string, ids: readonly string[]): string[] {
  return ids.filter((id) => !isThere(fileOf(environment, id), fileRoles.usedItems));
}

function fileOf(environment: string, id: string): string {
  return join(folderOf(environment), hash('sha256', id).slice(0, 24));
}

function folderOf(environment: string): string {
  return join(stateFolder(), 'used-items', environment);
}
