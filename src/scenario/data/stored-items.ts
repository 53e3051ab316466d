import { hash, randomInt } from 'node:crypto';
import { join } from 'node:path';
import type { OutgoingCall, Stage } from '../../call/index.ts';
import { fileRoles, listFolder, remove, replaceText } from '../../environment/files/index.ts';
import type { Environment } from '../../environment/index.ts';
import type { Exchange } from '../../http/index.ts';
import { redact } from '../../redaction/index.ts';
import { judge } from '../../verdict/index.ts';
import { usedItemsFolder } from '../run-files/output-folders.ts';
import { type RunLog, runLog } from '../run-files/run-log.ts';
import { configuredIn } from './configured-data.ts';

/** An id out of STORED_ITEM_IDS that is this scenario's alone until it is released. */
export type ClaimedItem = NonNullable<ReturnType<typeof claimItem>>;

/** What a run did with an id of STORED_ITEM_IDS; the last entry counts. */
export interface ItemEntry {
  readonly id: string;
  readonly state: 'deleted' | 'refused';
  readonly seen?: string;
  readonly looksGone?: boolean;
}

/** The files of ids that scenarios of this process are about to delete; of those that share users, only one process runs. */
const claimed = new Set<string>();

const REFUSED = '.refused';

/**
 * The first of `ids` that is not used and no other scenario has; those refused before come last. `began` keeps where the run begins.
 * @throws FileTrouble
 */
export function claimItem(environment: string, ids: readonly string[], began: RunLog<number>) {
  for (const id of inTurn(environment, ids, startOf(environment, ids, began))) {
    const file = fileOf(environment, id);
    if (claimed.has(file)) continue;
    claimed.add(file);
    return { id, release: () => void claimed.delete(file) };
  }
  return undefined;
}

/** The id that the next run tries first; `undefined` if that is one of `refused`, because no other is unused. */
export function nextItem(environment: string, ids: readonly string[], refused: readonly string[]): string | undefined {
  const [next] = inTurn(environment, ids, 0);
  return next !== undefined && refused.includes(next) ? undefined : next;
}

/** Unused ids in the order in which a run tries them that begins at `start`. */
function inTurn(environment: string, ids: readonly string[], start: number): string[] {
  const files = filesAbout(environment);
  const all = unusedItems(environment, [...ids.slice(start), ...ids.slice(0, start)], files);
  const wasRefused = (id: string) => files.has(nameOf(id) + REFUSED);
  return [...all.filter((id) => !wasRefused(id)), ...all.filter(wasRefused)];
}

/** A run that knows of no used id begins anywhere, because runs with other state folders have begun somewhere else. */
function startOf(environment: string, ids: readonly string[], began: RunLog<number>): number {
  const [known] = began.all();
  if (known !== undefined) return known % Math.max(1, ids.length);
  if (ids.length <= MOST_IN_ORDER || filesAbout(environment).size > 0) return 0;
  const start = randomInt(ids.length);
  began.add(start);
  return start;
}

/** Among fewer, ids that are gone are met soon, wherever a run begins. */
const MOST_IN_ORDER = 10;

/** A deletion was refused, so another id is tried first the next time. @throws FileTrouble */
export function markRefused(environment: string, id: string): void {
  replaceText(fileOf(environment, id) + REFUSED, redact(''), fileRoles.state);
}

/** The item is gone for good. @throws FileTrouble */
export function markUsed(environment: string, id: string): void {
  remove(fileOf(environment, id) + REFUSED, fileRoles.state);
  replaceText(fileOf(environment, id), redact(''), fileRoles.state);
}

export function unusedItems(environment: string, ids: readonly string[], files = filesAbout(environment)): string[] {
  return ids.filter((id) => !files.has(nameOf(id)));
}

/** Notes each id whose deletion was accepted, whatever its headers were: it counts as used. */
export function usedItems(environment: Environment, runId: string): Stage {
  const ended = ({ args }: OutgoingCall, exchange: Exchange) => {
    const isAccepted = judge(exchange, 'success', environment.successWhen) === undefined;
    for (const { key, value } of isAccepted ? configuredIn(environment, args) : []) {
      if (key !== 'STORED_ITEM_IDS') continue;
      markUsed(environment.name, value);
      runLog<ItemEntry>(runId, environment.name, 'stored-items').add({ id: value, state: 'deleted' });
    }
  };
  return (call) => ({ ended: (exchange) => exchange && ended(call, exchange) });
}

function filesAbout(environment: string): ReadonlySet<string> {
  return new Set(listFolder(folderOf(environment), fileRoles.state));
}

function fileOf(environment: string, id: string): string {
  return join(folderOf(environment), nameOf(id));
}

function folderOf(environment: string): string {
  return join(usedItemsFolder(), environment);
}

function nameOf(id: string): string {
  return hash('sha256', id).slice(0, 24);
}
