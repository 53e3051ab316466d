import { hash, randomInt } from 'node:crypto';
import { join } from 'node:path';
import type { OutgoingCall, Stage } from '../../call/index.ts';
import { fileRoles, listFolder, remove, replaceText } from '../../environment/files/index.ts';
import type { Environment } from '../../environment/index.ts';
import type { Exchange } from '../../http/index.ts';
import { redact } from '../../redaction/index.ts';
import { judge } from '../../verdict/index.ts';
import { usedItemsFolder } from '../run-files/output-folders.ts';
import { runLog } from '../run-files/run-log.ts';
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

/** The first of `ids` that is not used and no other scenario has; those refused before come last. @throws FileTrouble */
export function claimItem(environment: string, ids: readonly string[]) {
  for (const id of inTurn(environment, ids)) {
    const file = fileOf(environment, id);
    if (claimed.has(file)) continue;
    claimed.add(file);
    return { id, release: () => void claimed.delete(file) };
  }
  return undefined;
}

/** Unused ids in the order in which a run tries them: those refused before come last. */
function inTurn(environment: string, ids: readonly string[]): string[] {
  const files = filesAbout(environment);
  const start = startIn(environment, ids, files);
  const all = unusedItems(environment, [...ids.slice(start), ...ids.slice(0, start)], files);
  const wasRefused = (id: string) => files.has(nameOf(id) + REFUSED);
  return [...all.filter((id) => !wasRefused(id)), ...all.filter(wasRefused)];
}

/** The id that a run tries first which begins after this one; `undefined` if all unused ones are among `refused`. */
export function nextItem(environment: string, ids: readonly string[], refused: readonly string[]): string | undefined {
  const [next] = inTurn(environment, ids);
  return next === undefined || refused.includes(next) ? undefined : next;
}

/** Where this process began in the ids of an environment. */
const starts = new Map<string, number>();

/** A run that knows of no used id begins anywhere, because runs with other state folders have begun somewhere else. */
function startIn(environment: string, ids: readonly string[], files: ReadonlySet<string>): number {
  const key = folderOf(environment);
  const start = starts.get(key) ?? (files.size === 0 && ids.length > MOST_IN_ORDER ? randomInt(ids.length) : 0);
  starts.set(key, start);
  return start % Math.max(1, ids.length);
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
