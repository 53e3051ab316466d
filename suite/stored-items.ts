import { createHash } from 'node:crypto';
import { closeSync, mkdirSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { stateFolder } from './output.ts';

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
  const folder = join(stateFolder(), 'used-items', environment);
  mkdirSync(folder, { recursive: true });
  for (const id of ids) {
    const file = join(folder, createHash('sha256').update(id).digest('hex').slice(0, 24));
    try {
      closeSync(openSync(file, 'wx'));
      return { id, release: () => rmSync(file, { force: true }) };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
  return undefined;
}
