import { hash, randomInt } from 'node:crypto';
import { dirname, join } from 'node:path';
import type { OutgoingCall, Stage } from '../../call/index.ts';
import {
  appendText,
  fileRoles,
  isThere,
  listFolder,
  makeFolder,
  readTextIfAny,
  remove,
} from '../../environment/files/index.ts';
import type { Environment } from '../../environment/index.ts';
import { type Exchange, parsedJson } from '../../http/index.ts';
import { redact } from '../../redaction/index.ts';
import { judge } from '../../verdict/index.ts';
import { usedItemsFile } from '../run-files/output-folders.ts';
import { configuredIn } from './configured-data.ts';

/** An id out of STORED_ITEM_IDS that is this scenario's alone until it is released. */
export type ClaimedItem = NonNullable<ReturnType<typeof claimItem>>;

/** What a run did with an id of STORED_ITEM_IDS. */
export interface ItemUse {
  /** gone: the item of a refused deletion, once another one could be deleted. */
  readonly state: 'deleted' | 'refused' | 'gone';
  /** Of a refusal: its status, and whether the item may be gone. */
  readonly seen?: string;
  readonly looksGone?: boolean;
}

interface ItemEntry extends ItemUse {
  readonly environment: string;
  /** Hashed. */
  readonly item: string;
  readonly run: string;
}

/** The ids that scenarios of this process are about to delete; of those that share users, only one process runs. */
const claimed = new Set<string>();

/** The first of `ids` that is not used and no other scenario has; those refused before come last. @throws FileTrouble */
export function claimItem(environment: string, ids: readonly string[]) {
  const known = lastUses(environment);
  const start = startIn(environment, ids, known.size === 0);
  const inOrder = [...ids.slice(start), ...ids.slice(0, start)].filter((id) => isUnused(known.get(nameOf(id))));
  const { true: refused = [], false: others = [] } = Object.groupBy(inOrder, (id) => `${known.has(nameOf(id))}`);
  for (const id of [...others, ...refused]) {
    const key = `${keyOf(environment)} ${id}`;
    if (claimed.has(key)) continue;
    claimed.add(key);
    return { id, release: () => void claimed.delete(key) };
  }
  return undefined;
}

/** Where this process began in the ids of an environment. */
const starts = new Map<string, number>();

/** A run that knows of no used id begins anywhere, because runs with other state folders have begun somewhere else. */
function startIn(environment: string, ids: readonly string[], isFirst: boolean): number {
  const key = keyOf(environment);
  const start = starts.get(key) ?? (isFirst && ids.length > MOST_IN_ORDER ? randomInt(ids.length) : 0);
  starts.set(key, start);
  return start % Math.max(1, ids.length);
}

/** Among fewer, ids that are gone are met soon, wherever a run begins. */
const MOST_IN_ORDER = 10;

/** Notes what became of an id: the last note of it counts. @throws FileTrouble */
export function noteItem(environment: string, run: string, id: string, use: ItemUse): void {
  append([{ environment, item: nameOf(id), run, ...use }]);
}

export function unusedItems(environment: string, ids: readonly string[]): string[] {
  const known = lastUses(environment);
  return ids.filter((id) => isUnused(known.get(nameOf(id))));
}

/** What a run did with each of `ids`. */
export function usesInRun(
  environment: string,
  run: string,
  ids: readonly string[],
): (ItemUse & { readonly id: string })[] {
  const known = lastUses(environment, run);
  return ids.flatMap((id) => {
    const use = known.get(nameOf(id));
    return use ? [{ id, ...use }] : [];
  });
}

/** Notes each id whose deletion was accepted, whatever its headers were: it counts as used. */
export function usedItems(environment: Environment, runId: string): Stage {
  const ended = ({ args }: OutgoingCall, exchange: Exchange) => {
    const isAccepted = judge(exchange, 'success', environment.successWhen) === undefined;
    for (const { key, value } of isAccepted ? configuredIn(environment, args) : [])
      if (key === 'STORED_ITEM_IDS') noteItem(environment.name, runId, value, { state: 'deleted' });
  };
  return (call) => ({ ended: (exchange) => exchange && ended(call, exchange) });
}

function isUnused(use: ItemUse | undefined): boolean {
  return use === undefined || use.state === 'refused';
}

/** The last use of each item in an environment, or in one run there. */
function lastUses(environment: string, run?: string): ReadonlyMap<string, ItemUse> {
  takeOver();
  const lines = (readTextIfAny(usedItemsFile(), fileRoles.state) ?? '').split('\n');
  // A killed run may leave half a line.
  const entries = lines.map((line) => parsedJson(line) as ItemEntry | null | undefined);
  return new Map(
    entries.flatMap((entry) =>
      entry?.environment === environment && (run ?? entry.run) === entry.run ? [[entry.item, entry]] : [],
    ),
  );
}

/** Takes over the notes of version 0.1, which had a folder for each environment and an empty file for each item. */
function takeOver(): void {
  const folder = join(dirname(usedItemsFile()), 'used-items');
  if (!isThere(folder, fileRoles.state)) return;
  for (const environment of listFolder(folder, fileRoles.state)) {
    const files = listFolder(join(folder, environment), fileRoles.state);
    append(
      files.map((name): ItemEntry => {
        const state = name.endsWith('.refused') ? 'refused' : 'gone';
        return { environment, item: name.replace(/\.refused$/, ''), run: '', state };
      }),
    );
  }
  remove(folder, fileRoles.state);
}

/** Each entry begins with a line break: then half a line before it doesn't spoil it. */
function append(entries: readonly ItemEntry[]): void {
  const file = usedItemsFile();
  makeFolder(dirname(file), fileRoles.state);
  appendText(file, redact(entries.map((entry) => `\n${JSON.stringify(entry)}`).join('')), fileRoles.state);
}

function keyOf(environment: string): string {
  return `${usedItemsFile()} ${environment}`;
}

function nameOf(id: string): string {
  return hash('sha256', id).slice(0, 24);
}
