import { type Call, inside } from '../../call/index.ts';
import { counted, listed } from '../../environment/index.ts';
import type { Exchange } from '../../http/index.ts';
import { callSite, refusedAlike, SuiteError, Unproven } from '../../verdict/index.ts';
import { Skipped } from '../specs/tags.ts';
import { claimItem, nextItem, noteItem, type StoredItem, unusedItems, usesInRun } from './stored-items.ts';
import type { CallByName, WorldBasis } from './world-basis.ts';

/** No stored item is left to delete, so the suite can't judge deletion. */
export class NoItemLeft extends SuiteError {
  // Reports show the name of an error first, so the name is that of the verdict.
  override readonly name = 'Unknown';
  readonly category = 'unknown';
  override readonly lacks = 'data';
  override readonly refused: Exchange | undefined;

  constructor(why: string, refused?: Exchange) {
    super(why);
    this.refused = refused;
  }
}

/**
 * After this many refused deletions, a run tries no further id. A service that wrongly refuses deletions may delete something else, or
 * count the attempts.
 */
const MOST_RISKED = 2;

/** A stored item to delete. @throws Skipped without STORED_ITEM_IDS, or if this run deleted the last one; NoItemLeft if earlier runs used all. */
export async function storedItem(world: WorldBasis): Promise<StoredItem> {
  const provisioner = await world.provisioner();
  if (provisioner) {
    const [id] = await provisioner.items((await world.users()).caller.userId, 1);
    return { id: id as string, release: () => {} };
  }
  if (world.environment.data.storedItemIds.length === 0)
    throw new Skipped('needs a stored item to delete: STORED_ITEM_IDS is empty, and PROVISION_URL is not set');
  const claimed = claim(world);
  // A run that deleted an item has judged deletion, so a scenario that lacks another one is only skipped.
  if (!claimed && inState(world, 'deleted').length > 0)
    throw new Skipped(`needs a stored item to delete: ${usedText(world)}`);
  if (!claimed) throw unjudged(world);
  return claimed;
}

/**
 * Runs `story`, the part of a spec that deletes `count` stored items. If one of the environment's items is gone, runs `story` again with
 * the next items. Once `story` succeeds, notes the missing item as gone.
 */
export function withStoredItems(world: WorldBasis) {
  const refusals = () => inState(world, 'refused').filter(({ looksGone }) => looksGone);
  return async function withItems(
    count: number,
    story: (...items: readonly StoredItem[]) => Promise<unknown>,
  ): Promise<void> {
    await world.observer.step(`${counted(count, 'stored item')} can be deleted`, callSite(withItems), async () => {
      let items: StoredItem[] = [];
      // Claims all items before the first deletion, in the order of the list. A faulty deletion that removes a second item most likely
      // removes the next one of the list, which `story` uses, too. So `story` notices the fault.
      while (items.length < count) items.push(await storedItem(world));
      const gone: ReturnType<typeof refusals> = [];
      for (;;) {
        const before = refusals().map(({ id }) => id);
        try {
          await story(...items);
          break;
        } catch (error) {
          const refusal = refusals().find(({ id }) => !before.includes(id));
          const place = items.findIndex(({ id }) => id === refusal?.id);
          if (!refusal || place < 0 || !mayRiskMore(world)) throw error;
          gone.push(refusal);
          // If the fault is that a deletion also removes the next item, the deletion of a following item does so, too. So the repeated
          // `story` fails as well, and still shows the fault.
          items = items.slice(place + 1);
          while (items.length < count) items.push(await anotherItem(world, error));
        }
      }
      for (const refusal of gone) noteItem(world, { ...refusal, state: 'gone' });
    });
  };
}

/** Claims the next item. If there is none, throws the error of the refused deletion. */
async function anotherItem(world: WorldBasis, refused: unknown): Promise<StoredItem> {
  try {
    return await storedItem(world);
  } catch (error) {
    throw error instanceof Skipped || error instanceof NoItemLeft ? refused : error;
  }
}

/** Claims an id that this run has not seen refused. If there is none, or the run may risk no further refusal, claims a refused one. */
function claim(world: WorldBasis): StoredItem | undefined {
  const { environment } = world;
  const refused = inState(world, 'refused').map(({ id }) => id);
  const fresh = environment.data.storedItemIds.filter((id) => !refused.includes(id));
  const item = claimItem(
    environment,
    refused.length < MOST_RISKED ? [...fresh, ...refused] : refused,
    world.runLog<number>('items-begin'),
  );
  if (item) world.defer(item.release);
  return item;
}

/**
 * After a refused deletion: an error that says that deletion can't be judged, if the item may be gone and this run has deleted no other
 * item. An item may be gone if the response is 404 or 410, or the same as for an invented id.
 */
export async function goneItem(world: WorldBasis, id: string, refused: Exchange): Promise<SuiteError | undefined> {
  const { environment } = world;
  if (environment.provisionUrl || !environment.data.storedItemIds.includes(id)) return undefined;
  const { response } = refused;
  const seen = response ? `${response.status} ${response.statusText}`.trim() : 'no response';
  const isGone = await looksGone(world, refused);
  noteItem(world, { id, state: 'refused', seen, looksGone: isGone });
  return isGone && inState(world, 'deleted').length === 0 ? unjudged(world, refused) : undefined;
}

function unjudged(world: WorldBasis, refused?: Exchange): NoItemLeft | Unproven {
  const why = usedText(world);
  return world.environment.mayBeUnproven.has('deleteItem')
    ? new Unproven(why, why, refused)
    : new NoItemLeft(why, refused);
}

function mayRiskMore(world: WorldBasis): boolean {
  return inState(world, 'refused').length < MOST_RISKED;
}

function usedText(world: WorldBasis): string {
  const { environment } = world;
  const { data } = environment;
  const gone = inState(world, 'refused').filter(({ looksGone }) => looksGone);
  if (gone.length > 0) {
    const statuses = [...new Set(gone.map(({ seen = '' }) => seen.split(' ', 1).join()))];
    const ids = gone.map(({ id }) => id);
    const next = nextItem(environment, data.storedItemIds, ids);
    const cure = next ? `The next run tries ${next}.` : 'Give fresh ids in STORED_ITEM_IDS, or set PROVISION_URL.';
    const are = ids.length === 1 ? 'it is' : 'they are';
    return `${listed(ids)} can't be deleted (${listed(statuses)}): ${are} gone already, or deletion is broken. ${cure}`;
  }
  const unused = unusedItems(environment, data.storedItemIds).length;
  return `STORED_ITEM_IDS has ${unused} unused of ${counted(data.itemsInFile, 'id')}: give fresh ids, or set PROVISION_URL`;
}

async function looksGone(world: WorldBasis, refused: Exchange): Promise<boolean> {
  if ([404, 410].includes(refused.response?.status ?? 0)) return true;
  return isRefusedAlike(world, refused, (call) => call('deleteItem', { id: world.data.id() }));
}

/** Whether the service refuses another request in the same way as it refused the request of `met`. */
export async function isRefusedAlike(world: WorldBasis, met: Exchange, request: (call: CallByName) => Call) {
  try {
    const other = await request(await world.call()).isDecided();
    return other.isRefusal && refusedAlike(inside(other).exchange, met);
  } catch (error) {
    if (error instanceof SuiteError) return false;
    throw error;
  }
}

function inState(world: WorldBasis, wanted: 'deleted' | 'refused') {
  const uses = usesInRun(world, world.environment.data.storedItemIds);
  return uses.filter(({ state }) => (state === 'deleted') === (wanted === 'deleted'));
}
