import { type Exchange, type Form, inside, isSuccess, offer, refusalKind, SuiteError } from '../../client/index.ts';
import { counted } from '../../config/index.ts';
import { type CallableId, operation, operationIds } from '../../spec/index.ts';
import { Skipped } from '../specs/tags.ts';
import { recall, subjectOf } from './memory.ts';
import { type ClaimedItem, claimItem, type ItemEntry, markRefused, markUsed, unusedItems } from './stored-items.ts';
import type { WorldBasis } from './world-basis.ts';

/** No stored item is left to delete, so the suite can't judge deletion. */
export class NoItemLeft extends SuiteError {
  // Reports show the name first.
  override readonly name = 'Unknown';
  readonly category = 'unknown';
}

const deleting = operationIds.find((id) => operation(id).usesUp?.renewedBy === 'item') as CallableId;

/** The most ids that a run risks: a service that refuses them all may delete something else, or count them. */
const MOST_RISKED = 2;

/** An item that a scenario asked for, which may be exchanged until it is deleted. */
interface Place {
  item: ClaimedItem;
  /** The items that the scenario deletes before and after this one. */
  readonly before?: Place | undefined;
  after?: Place;
}

type Deletion = Form<{ readonly id: string }>;

/** Where the service refuses one id, the next is tried; if that is accepted, the first was gone, and counts as used. */
function deletionOf(world: WorldBasis, place: Place) {
  const item = {
    get id() {
      return place.item.id;
    },
    release: () => place.item.release(),
  };
  offer<Deletion['args']>(item, () => (refused) => nextForm(world, place, refused));
  return item;
}

/** The form of the request with another item; `undefined` where the refusal is the answer. */
async function nextForm(world: WorldBasis, place: Place, refused: Exchange): Promise<Deletion | undefined> {
  if (world.environment.provisionUrl) return undefined;
  const { id } = place.item;
  const tried = decodeURIComponent(new URL(refused.request.url).pathname.split('/').at(-1) ?? id);
  await noteRefusal(world, tried, refused);
  const mayRiskMore = tried === id && inState(world, 'refused').length < MOST_RISKED;
  if (!mayRiskMore || (await fellToTheOneBefore(world, place, tried))) return undefined;
  const fresh = claim(world);
  return fresh && insteadTake(world, place, fresh);
}

/** Whether deleting the item before took this one too: so it is with another pair. @throws NoItemLeft without another pair */
async function fellToTheOneBefore(world: WorldBasis, { before }: Place, tried: string): Promise<boolean> {
  if (!before || !inState(world, 'deleted').some(({ id }) => id === before.item.id)) return false;
  const pair = claim(world);
  if (!pair)
    throw new NoItemLeft(`${tried} is gone, and another pair of items is needed to tell why: ${usedText(world)}`);
  return (await (await world.call())(deleting, { id: pair.id }).isDecided()).isRefusal;
}

/** In the order of STORED_ITEM_IDS, for what a deletion takes besides is likely to be the next one: the item after this moves up. */
function insteadTake(world: WorldBasis, place: Place, fresh: ClaimedItem): Deletion {
  const { after } = place;
  const next = after ? after.item : fresh;
  if (after) after.item = fresh;
  const taken = () => {
    markUsed(world.environment.name, place.item.id);
    place.item = next;
  };
  return { args: { id: next.id }, taken };
}

async function noteRefusal(world: WorldBasis, id: string, refused: Exchange): Promise<void> {
  const { response } = refused;
  const seen = response ? `${response.status} ${response.statusText}`.trim() : 'no response';
  const entry: ItemEntry = { id, state: 'refused', seen, looksGone: await looksGone(world, refused) };
  world.runLog<ItemEntry>('stored-items').add(entry);
  markRefused(world.environment.name, id);
}

const claimedBy = new WeakMap<WorldBasis, Place>();

/** @throws Skipped without STORED_ITEM_IDS, or if this run deleted the last one; NoItemLeft if earlier runs used all. */
export async function storedItem(world: WorldBasis) {
  const provisioner = await world.provisioner();
  if (provisioner) {
    const [id] = await provisioner.items((await world.users()).caller.userId, 1);
    return deletionOf(world, { item: { id: id as string, release: () => {} } });
  }
  if (world.environment.data.storedItemIds.length === 0)
    throw new Skipped('needs a stored item to delete: STORED_ITEM_IDS is empty, and PROVISION_URL is not set');
  const claimed = claim(world);
  // A run that deleted an item has judged deletion, so a scenario that lacks another one is only skipped.
  if (!claimed && inState(world, 'deleted').length > 0)
    throw new Skipped(`needs a stored item to delete: ${usedText(world)}`);
  if (!claimed) throw new NoItemLeft(usedText(world));
  const before = claimedBy.get(world);
  const place: Place = { item: claimed, before };
  if (before) before.after = place;
  claimedBy.set(world, place);
  return deletionOf(world, place);
}

/** An id that this run did not see refused, if it may risk one more; otherwise one of those that it did. */
function claim(world: WorldBasis): ClaimedItem | undefined {
  const { name, data } = world.environment;
  const refused = inState(world, 'refused').map(({ id }) => id);
  const fresh = data.storedItemIds.filter((id) => !refused.includes(id));
  const item = claimItem(name, refused.length < MOST_RISKED ? [...fresh, ...refused] : refused);
  if (item) world.defer(item.release);
  return item;
}

/** The error of a refused deletion where items may be gone, and none was ever deleted here: that judges nothing. */
export function allItemsGone(world: WorldBasis, id: string): NoItemLeft | undefined {
  const { environment } = world;
  const entry = inState(world, 'refused').find((each) => each.id === id);
  const subject = subjectOf(environment, deleting, { id });
  const wasDeleted = inState(world, 'deleted').length > 0 || (subject && recall(environment, subject)?.accepted);
  return entry?.looksGone && !wasDeleted ? new NoItemLeft(usedText(world)) : undefined;
}

function usedText(world: WorldBasis): string {
  const { name, data } = world.environment;
  const unused = unusedItems(name, data.storedItemIds).length;
  const refused = inState(world, 'refused');
  const [first] = refused;
  const found = first ? `, ${refused.length} of them refused as if gone (${first.id}: ${first.seen})` : '';
  return `STORED_ITEM_IDS has ${unused} unused of ${counted(data.storedItemIds.length, 'id')}${found}: give fresh ids, or set PROVISION_URL`;
}

/** Whether a refused deletion looks as if the item didn't exist: 404 or 410, or where only the body tells, what an invented id gets. */
async function looksGone(world: WorldBasis, refused: Exchange): Promise<boolean> {
  const { successWhen } = world.environment;
  if (!refused.response || isSuccess(deleting, refused.response, successWhen)) return false;
  if ([404, 410].includes(refused.response.status)) return true;
  if (!successWhen) return false;
  try {
    const invented = await (await world.call())(deleting, { id: world.data.id() }).isDecided();
    return (
      invented.isRefusal && refusalKind(inside(invented).exchange, successWhen) === refusalKind(refused, successWhen)
    );
  } catch (error) {
    if (error instanceof SuiteError) return false;
    throw error;
  }
}

function inState(world: WorldBasis, wanted: ItemEntry['state']): ItemEntry[] {
  const all = world.runLog<ItemEntry>('stored-items').all();
  const last = new Map(all.map((entry) => [entry.id, entry]));
  return [...last.values()].filter(({ state }) => state === wanted);
}
