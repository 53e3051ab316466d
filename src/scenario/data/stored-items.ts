import { hash, randomInt } from 'node:crypto';
import { dirname, join } from 'node:path';
import type { OutgoingCall, Stage } from '../../call/index.ts';
import { appendText, fileRoles, listFolder, makeFolder, readTextIfAny, remove } from '../../environment/files/index.ts';
import type { Environment } from '../../environment/index.ts';
import { type Exchange, parsedJson } from '../../http/index.ts';
import { redact } from '../../redaction/index.ts';
import { judge } from '../../verdict/index.ts';
import { usedItemsFile } from '../run-files/output-folders.ts';
import { configuredIn } from './configured-data.ts';

/** An id out of STORED_ITEM_IDS that is this scenario's alone until it is released. */
export type ClaimedItem = NonNullable<ReturnType<typeof claimItem>>;

/** What a run did with an id of STORED_ITEM_IDS. */
interface ItemUse {
  readonly id: string;
  /** gone: its deletion was refused, and that of the next one accepted. */
  readonly state: 'deleted' | 'refused' | 'gone';
  readonly seen?: string;
  readonly looksGone?: boolean;
}

/** A line of the file, with the id hashed; the last line about an id counts. */
type ItemEntry = ItemUse & { readonly environment: string; readonly run: string };

/** The ids that scenarios of this process are about to delete; of those that share users, only one process runs. */
const claimed = new Set<string>();

/** The first of `ids` that is not used and no other scenario has; those refused before come last. @throws FileTrouble */
export function claimItem(environment: string, ids: readonly string[]) {
  const known = lastUses(environment);
  const start = startIn(environment, ids, known);
  const { true: refused = [], false: others = [] } = Object.groupBy(
    unusedItems(environment, [...ids.slice(start), ...ids.slice(0, start)], known),
    (id) => `${known.has(hashed(id))}`,
  );
  for (const id of [...others, ...refused]) {
    const key = `${placeOf(environment)} ${id}`;
    if (claimed.has(key)) continue;
    claimed.add(key);
    return { id, release: () => void claimed.delete(key) };
  }
  return undefined;
}

/** Where this process began in the ids of an environment. */
const starts = new Map<string, number>();

/** A run that knows of no used id begins anywhere, because runs with other state folders have begun somewhere else. */
function startIn(environment: string, ids: readonly string[], known: ReadonlyMap<string, ItemUse>): number {
  const key = placeOf(environment);
  const start = starts.get(key) ?? (known.size === 0 && ids.length > MOST_IN_ORDER ? randomInt(ids.length) : 0);
  starts.set(key, start);
  return start % Math.max(1, ids.length);
}

/** Among fewer, ids that are gone are met soon, wherever a run begins. */
const MOST_IN_ORDER = 10;

export function unusedItems(environment: string, ids: readonly string[], known = lastUses(environment)): string[] {
  return ids.filter((id) => (known.get(hashed(id))?.state ?? 'refused') === 'refused');
}

interface Run {
  readonly environment: Pick<Environment, 'name'>;
  readonly runId: string;
}

/** @throws FileTrouble */
export function noteItem({ environment, runId }: Run, { id, ...use }: ItemUse): void {
  append({ environment: environment.name, run: runId, id: hashed(id), ...use });
}

/** What a run did with each of `ids`. */
export function usesInRun({ environment, runId }: Run, ids: readonly string[]): ItemUse[] {
  const known = lastUses(environment.name, runId);
  return ids.flatMap((id) => {
    const use = known.get(hashed(id));
    return use ? { ...use, id } : [];
  });
}

/** Notes each id whose deletion was accepted, whatever its headers were: it counts as used. */
export function usedItems(environment: Environment, runId: string): Stage {
  const ended = ({ args }: OutgoingCall, exchange: Exchange) => {
    const isAccepted = judge(exchange, 'success', environment.successWhen) === undefined;
    for (const { key, value } of isAccepted ? configuredIn(environment, args) : [])
      if (key === 'STORED_ITEM_IDS') noteItem({ environment, runId }, { id: value, state: 'deleted' });
  };
  return (call) => ({ ended: (exchange) => exchange && ended(call, exchange) });
}

/** The last use of each id in an environment, or in one run there, by its hash. */
function lastUses(environment: string, run?: string): ReadonlyMap<string, ItemUse> {
  takeOver();
  const lines = (readTextIfAny(usedItemsFile(), fileRoles.state) ?? '').split('\n');
  // A killed run may leave half a line.
  const entries = lines.flatMap((line) => (parsedJson(line) as ItemEntry | null | undefined) ?? []);
  const own = entries.filter((each) => each.environment === environment && (run ?? each.run) === each.run);
  return new Map(own.map((each) => [each.id, each]));
}

/** Earlier versions had a folder for each environment, with an empty file for each id. */
function takeOver(): void {
  const folder = usedItemsFile().replace(/\.jsonl$/, '');
  for (const environment of listFolder(folder, fileRoles.state))
    for (const name of listFolder(join(folder, environment), fileRoles.state)) {
      const [id = '', refused] = name.split('.');
      append({ environment, run: '', id, state: refused ? 'refused' : 'gone' });
    }
  remove(folder, fileRoles.state);
}

/** The line break comes first, so that half a line before it doesn't spoil an entry. */
function append(entry: ItemEntry): void {
  makeFolder(dirname(usedItemsFile()), fileRoles.state);
  appendText(usedItemsFile(), redact(`\n${JSON.stringify(entry)}`), fileRoles.state);
}

function placeOf(environment: string): string {
  return `${usedItemsFile()} ${environment}`;
}

function hashed(id: string): string {
  return hash('sha256', id).slice(0, 24);
}
