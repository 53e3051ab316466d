import {
  type Exchange,
  type Form,
  inside,
  isSuccess,
  offer,
  type SuccessRule,
  SuiteError,
  valueAt,
} from '../client/index.ts';
import { counted } from '../config/index.ts';
import { callByName } from './call-by-name.ts';
import type { RunLog } from './run-log.ts';
import { Skipped } from './skip.ts';
import { type ClaimedItem, claimItem, unusedItems } from './stored-items.ts';
import type { WorldBasis } from './world-basis.ts';

/** No stored item is left to delete, so the suite can't judge deletion. */
export class NoItemLeft extends SuiteError {
  // Reports show the name first.
  override readonly name = 'Unknown';
  readonly category = 'unknown';
}

/** What a run did with an id of STORED_ITEM_IDS; the last entry counts. */
interface ItemEntry {
  readonly id: string;
  readonly state: 'claimed' | 'released' | 'gone';
  /** The response to the deletion of a gone item. */
  readonly seen?: string;
}

/**
 * Arguments to delete a stored item. When the service no longer has it, the id is noted as used, and `id` becomes the next
 * one that the service accepts.
 */
export class StoredItem {
  readonly #world: WorldBasis;
  #item: ClaimedItem;
  /** The last one that was sent. */
  #tried: ClaimedItem;
  #isGone = false;

  constructor(world: WorldBasis, item: ClaimedItem) {
    this.#world = world;
    this.#item = item;
    this.#tried = item;
    offer<{ readonly id: string }>(this, (refused) => this.#next(refused));
  }

  get id(): string {
    return this.#item.id;
  }

  /** Gives the item back, because it still exists. */
  readonly release = (): void => {
    if (this.#isGone) return;
    this.#item.release();
    logOf(this.#world).add({ id: this.id, state: 'released' });
  };

  async #next(refused: Exchange): Promise<Form<{ readonly id: string }> | undefined> {
    if (!(await isGone(this.#world, refused))) return undefined;
    const { name, data } = this.#world.environment;
    const log = logOf(this.#world);
    log.add({ id: this.#tried.id, state: 'gone', seen: seen(refused) });
    this.#isGone = true;
    const next = claimItem(name, data.storedItemIds);
    if (!next) return undefined;
    log.add({ id: next.id, state: 'claimed' });
    this.#tried = next;
    const taken = () => {
      this.#item = next;
      this.#isGone = false;
    };
    return { args: { id: next.id }, taken };
  }
}

/** The items of scenarios that have not begun, to be given back when another one is lacking. */
const claimedBy = new WeakMap<WorldBasis, StoredItem[]>();

/**
 * One more item that may be deleted, for the asker alone. `isUsedAtOnce`: it may be gone when the next one is asked for, so that
 * it is not given back then.
 * @throws Skipped without STORED_ITEM_IDS, or if this run deleted the last one; NoItemLeft if earlier runs used all.
 */
export async function storedItem(world: WorldBasis, { isUsedAtOnce = false } = {}): Promise<StoredItem> {
  const provisioner = await world.provisioner();
  if (provisioner) {
    const [id] = await provisioner.items((await world.users()).caller.userId, 1);
    return new StoredItem(world, { id: id as string, release: () => {} });
  }
  const { name, data } = world.environment;
  if (data.storedItemIds.length === 0)
    throw new Skipped('needs a stored item to delete: STORED_ITEM_IDS is empty, and PROVISION_URL is not set');
  const claimed = claimItem(name, data.storedItemIds);
  const mine = claimedBy.get(world) ?? [];
  if (!claimed) {
    const error = noneLeft(world);
    for (const item of mine) item.release();
    throw error;
  }
  logOf(world).add({ id: claimed.id, state: 'claimed' });
  const item = new StoredItem(world, claimed);
  if (!isUsedAtOnce) claimedBy.set(world, [...mine, item]);
  return item;
}

/** The error of a refused deletion when the item, and every other one, turned out to be gone. */
export function allItemsGone(world: WorldBasis, id: string): NoItemLeft | undefined {
  const { name, data } = world.environment;
  const isGone = entriesOf(world).get(id)?.state === 'gone';
  return isGone && unusedItems(name, data.storedItemIds).length === 0 ? new NoItemLeft(usedText(world)) : undefined;
}

/** A run that deleted an item has judged deletion, so a scenario that lacks another one is only skipped. */
function noneLeft(world: WorldBasis): SuiteError {
  const wasJudged = [...entriesOf(world).values()].some(({ state }) => state === 'claimed');
  return wasJudged ? new Skipped(`needs a stored item to delete: ${usedText(world)}`) : new NoItemLeft(usedText(world));
}

function usedText(world: WorldBasis): string {
  const ids = world.environment.data.storedItemIds;
  const gone = [...entriesOf(world).values()].filter(({ state }) => state === 'gone');
  const first = gone[0];
  const found = first ? `, ${gone.length} of them found gone (${first.id}: ${first.seen})` : '';
  return `all ${counted(ids.length, 'id')} of STORED_ITEM_IDS ${ids.length === 1 ? 'is' : 'are'} used${found}: give fresh ids, or set PROVISION_URL`;
}

/**
 * Whether a refused deletion shows that the item doesn't exist: the service says so with 404 or 410, or gives the same
 * response for an id that was never an item.
 */
async function isGone(world: WorldBasis, refused: Exchange): Promise<boolean> {
  if (world.environment.provisionUrl || !refused.response) return false;
  const { successWhen } = world.environment;
  if (isSuccess('deleteItem', refused.response, successWhen)) return false;
  if (refused.response.status === 404 || refused.response.status === 410) return true;
  try {
    const call = callByName(await world.session());
    const invented = await call('deleteItem', { id: world.data.id() }).isDecided();
    return invented.isRefusal && kindOf(inside(invented).exchange, successWhen) === kindOf(refused, successWhen);
  } catch (error) {
    if (error instanceof SuiteError) return false;
    throw error;
  }
}

/** The status of a response, and its value for SUCCESS_WHEN. */
function kindOf({ response }: Exchange, rule: SuccessRule | undefined): string {
  const json = response?.body.json;
  return JSON.stringify([response?.status, rule && json?.ok ? (valueAt(json.value, rule.pointer) ?? null) : null]);
}

function seen({ response }: Exchange): string {
  return response ? `${response.status} ${response.statusText}`.trim() : 'no response';
}

function logOf(world: WorldBasis): RunLog<ItemEntry> {
  return world.runLog('stored-items');
}

/** The last entry of each id. */
function entriesOf(world: WorldBasis): Map<string, ItemEntry> {
  return new Map(
    logOf(world)
      .all()
      .map((entry) => [entry.id, entry]),
  );
}
