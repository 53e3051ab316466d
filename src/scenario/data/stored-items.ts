import { hash, randomInt } from 'node:crypto';
import { dirname, join } from 'node:path';
import type { OutgoingCall, Stage } from '../../call/index.ts';
import { appendText, fileRoles, listFolder, makeFolder, readTextIfAny, remove } from '../../environment/files/index.ts';
import { counted, type Environment, type Named, stateName } from '../../environment/index.ts';
import { type Exchange, parsedJson } from '../../http/index.ts';
import { redact } from '../../redaction/index.ts';
import type { Log } from '../../safety/index.ts';
import { outcomeOf } from '../../verdict/index.ts';
import { usedItemsFile } from '../run-files/output-folders.ts';
import { configuredIn } from './configured-data.ts';

/** The id of an item that only this scenario may use. `release` lets other scenarios use it, if the item was not deleted. */
export interface StoredItem {
  readonly id: string;
  readonly release: () => void;
}

/** A run's use of an id of STORED_ITEM_IDS. */
interface ItemUse {
  readonly id: string;
  /** `gone`: the service refused to delete this item, but deleted the next one. */
  readonly state: 'deleted' | 'refused' | 'gone';
  readonly seen?: string;
  readonly looksGone?: boolean;
}

/** A line of the file of used items. The id is hashed. If several lines have the same id, the last one is valid. */
type ItemEntry = ItemUse & { readonly environment: string; readonly run: string };

/**
 * The ids that scenarios of this process are about to delete. Other processes don't matter, because only one process at a time runs as the same
 * users.
 */
const claimed = new Set<string>();

/**
 * Claims the first unused id that no other scenario has. Ids that were refused before come last. `began` stores the index in `ids` at which
 * the run began.
 * @throws FileTrouble
 */
export function claimItem(environment: Named, ids: readonly string[], began: Log<number>): StoredItem | undefined {
  const known = lastUses(environment);
  for (const id of inTurn(environment, ids, startOf(ids, known, began), known)) {
    const key = `${usedItemsFile()} ${placeOf(environment)} ${id}`;
    if (claimed.has(key)) continue;
    claimed.add(key);
    return { id, release: () => void claimed.delete(key) };
  }
  return undefined;
}

/** The id that the next run tries first; `undefined` if all unused ids are among `refused`. */
export function nextItem(environment: Named, ids: readonly string[], refused: readonly string[]): string | undefined {
  const [next] = inTurn(environment, ids, 0);
  return next !== undefined && refused.includes(next) ? undefined : next;
}

/** The unused ids in the order in which a run tries them, beginning at index `start`. Ids that were refused before come last. */
function inTurn(environment: Named, ids: readonly string[], start: number, known = lastUses(environment)): string[] {
  const all = unusedItems(environment, [...ids.slice(start), ...ids.slice(0, start)], known);
  const wasRefused = (id: string) => known.has(hashed(id));
  return [...all.filter((id) => !wasRefused(id)), ...all.filter(wasRefused)];
}

/** The index in `ids` at which a run begins. It is random if no id is known to be used, because runs with other state folders may have used some. */
function startOf(ids: readonly string[], known: ReadonlyMap<string, ItemUse>, began: Log<number>): number {
  const [start] = began.all();
  if (start !== undefined) return start % Math.max(1, ids.length);
  if (ids.length <= MOST_IN_ORDER || known.size > 0) return 0;
  const anywhere = randomInt(ids.length);
  began.add(anywhere);
  return anywhere;
}

/**
 * If the list has at most this many ids, a run begins with the first one, not with a random one. In a short list, a run soon meets the ids
 * that are gone, wherever it begins.
 */
const MOST_IN_ORDER = 10;

export function unusedItems(environment: Named, ids: readonly string[], known = lastUses(environment)): string[] {
  return ids.filter((id) => (known.get(hashed(id))?.state ?? 'refused') === 'refused');
}

interface Run {
  readonly environment: Named;
  readonly runId: string;
}

/** @throws FileTrouble */
export function noteItem({ environment, runId }: Run, { id, ...use }: ItemUse): void {
  append({ environment: placeOf(environment), run: runId, id: hashed(id), ...use });
}

/** A run's notes about each of these stored items: deleted, refused or gone. Leaves out the items that the run didn't try to delete. */
export function usesInRun({ environment, runId }: Run, ids: readonly string[]): ItemUse[] {
  const known = lastUses(environment, runId);
  return ids.flatMap((id) => {
    const use = known.get(hashed(id));
    return use ? { ...use, id } : [];
  });
}

/** If a run used up a stored item, says how many are left. */
export function itemLines(environment: Environment, runId: string): string[] {
  const { name, data } = environment;
  const ids = data.storedItemIds;
  const used = usesInRun({ environment, runId }, ids).filter(({ state }) => state !== 'refused');
  if (used.length === 0) return [];
  const next = nextItem(environment, ids, []);
  const left = `${unusedItems(environment, ids).length} of ${counted(ids.length, 'id')} in STORED_ITEM_IDS left`;
  const then = next === undefined ? 'give fresh ids, or set PROVISION_URL' : `the next run tries ${next}`;
  return [`${name}: ${counted(used.length, 'stored item')} used up, ${left}; ${then}`];
}

/** If the service accepts a request that deletes a stored item, notes the item as used, whatever headers the request had. */
export function usedItems(environment: Environment, runId: string): Stage {
  const ended = ({ args }: OutgoingCall, exchange: Exchange) => {
    const { isAccepted } = outcomeOf(exchange, environment.successWhen);
    for (const { key, value } of isAccepted ? configuredIn(environment, args) : [])
      if (key === 'STORED_ITEM_IDS') noteItem({ environment, runId }, { id: value, state: 'deleted' });
  };
  return (call) => ({ ended: (exchange) => exchange && ended(call, exchange) });
}

/** For each hashed id, the last use in the environment. With `run`, only the uses in the run with this id. */
function lastUses(environment: Named, run?: string): ReadonlyMap<string, ItemUse> {
  takeOver();
  const lines = (readTextIfAny(usedItemsFile(), fileRoles.state) ?? '').split('\n');
  // A killed run may leave half a line, which is skipped.
  const entries = lines.flatMap((line) => (parsedJson(line) as ItemEntry | null | undefined) ?? []);
  const own = entries.filter((each) => each.environment === placeOf(environment) && (run ?? each.run) === each.run);
  return new Map(own.map((each) => [each.id, each]));
}

/** Converts the notes of earlier versions, which had a folder for each environment, with an empty file for each id. */
function takeOver(): void {
  const folder = usedItemsFile().replace(/\.jsonl$/, '');
  for (const environment of listFolder(folder, fileRoles.state))
    for (const name of listFolder(join(folder, environment), fileRoles.state)) {
      const [id = '', refused] = name.split('.');
      append({ environment, run: '', id, state: refused ? 'refused' : 'gone' });
    }
  remove(folder, fileRoles.state);
}

/** Appends an entry. The line break comes first, so that half a line before it doesn't spoil the entry. */
function append(entry: ItemEntry): void {
  makeFolder(dirname(usedItemsFile()), fileRoles.state);
  appendText(usedItemsFile(), redact(`\n${JSON.stringify(entry)}`), fileRoles.state);
}

/** The name under which items are noted. It depends on the storage's address, because items belong to that address. */
function placeOf(environment: Named): string {
  return stateName(environment, ['storage']);
}

function hashed(id: string): string {
  return hash('sha256', id).slice(0, 24);
}
