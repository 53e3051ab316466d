import { hash } from 'node:crypto';
import { join } from 'node:path';
import { judge, type Middleware, parsedJson, redact } from '../../client/index.ts';
import { claimFile, fileRoles, isThere, listFolder, readTextIfAny, remove } from '../../config/files/index.ts';
import type { Environment } from '../../config/index.ts';
import { withLock } from '../journal/file-lock.ts';
import { isOwner, thisProcess } from '../journal/owner.ts';
import { lifeOf, signOf, signsOfLife } from '../journal/signs-of-life.ts';
import { memoryFolders } from '../state/output-folders.ts';
import { runLog } from '../state/run-log.ts';
import { configuredIn } from './configured-data.ts';

/** An id out of STORED_ITEM_IDS that is this scenario's alone until it is released. */
export interface ClaimedItem {
  readonly id: string;
  release(): void;
}

/** What a run did with an id of STORED_ITEM_IDS; the last entry counts. */
export interface ItemEntry {
  readonly id: string;
  readonly state: 'deleted' | 'refused';
  /** The response to a refused deletion. */
  readonly seen?: string;
  /** The service may mean that the item is gone. */
  readonly looksGone?: boolean;
}

const CLAIMED = '.claimed';
const REFUSED = '.refused';

/**
 * Claims the first of `ids` that was not used before, and that no other process has; those that were refused before come last.
 * @throws FileTrouble
 */
export function claimItem(environment: string, ids: readonly string[]): Promise<ClaimedItem | undefined> {
  return withLock(join(folderOf(environment), 'claims.lock'), async () => {
    const there = new Set(listFolder(folderOf(environment), fileRoles.usedItems));
    const wasRefused = (id: string) => Number(there.has(nameOf(id) + REFUSED));
    for (const id of [...ids].sort((a, b) => wasRefused(a) - wasRefused(b))) {
      const claim = fileOf(environment, id) + CLAIMED;
      if (there.has(nameOf(id)) || (there.has(nameOf(id) + CLAIMED) && isHeld(claim))) continue;
      remove(claim, fileRoles.usedItems);
      claimFile(claim, fileRoles.usedItems, redact(JSON.stringify(thisProcess())));
      const signs = signsOfLife(claim);
      const release = () => {
        signs.end();
        remove(claim, fileRoles.usedItems);
      };
      return { id, release };
    }
    return undefined;
  });
}

/** A claim ends with its process: what it did not use may be tried again. */
function isHeld(claim: string): boolean {
  const owner = parsedJson(readTextIfAny(claim, fileRoles.usedItems));
  const sign = signOf(claim, fileRoles.usedItems);
  return isOwner(owner) && sign !== undefined && lifeOf(claim, owner, sign) !== 'dead';
}

/** A deletion was refused, so another id is tried first the next time. @throws FileTrouble */
export function markRefused(environment: string, id: string): void {
  claimFile(fileOf(environment, id) + REFUSED, fileRoles.usedItems);
}

/** The item is gone for good. @throws FileTrouble */
export function markUsed(environment: string, id: string): void {
  remove(fileOf(environment, id) + REFUSED, fileRoles.usedItems);
  claimFile(fileOf(environment, id), fileRoles.usedItems);
}

/** The ids that no run has used. */
export function unusedItems(environment: string, ids: readonly string[]): string[] {
  return ids.filter((id) => !isThere(fileOf(environment, id), fileRoles.usedItems));
}

/** Notes each id whose deletion was accepted, whatever its headers were: it counts as used. */
export function usedItems(environment: Environment, runId: string): Middleware {
  return async (call, next) => {
    const exchange = await next(call);
    const isAccepted = judge(exchange, 'success', environment.successWhen) === undefined;
    for (const { key, value } of isAccepted ? configuredIn(environment, call.args) : []) {
      if (key !== 'STORED_ITEM_IDS') continue;
      markUsed(environment.name, value);
      runLog<ItemEntry>(runId, environment.name, 'stored-items').add({ id: value, state: 'deleted' });
    }
    return exchange;
  };
}

function nameOf(id: string): string {
  return hash('sha256', id).slice(0, 24);
}

function fileOf(environment: string, id: string): string {
  return join(folderOf(environment), nameOf(id));
}

function folderOf(environment: string): string {
  return join(memoryFolders().usedItems, environment);
}
