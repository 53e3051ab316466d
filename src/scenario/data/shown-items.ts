import type { Environment } from '../../environment/index.ts';
import { type Exchange, exactly, recordsIn } from '../../http/index.ts';
import { callSite, outcomeOf, SuiteError } from '../../verdict/index.ts';
import type { WornItems } from './test-data.ts';
import type { WorldBasis } from './world-basis.ts';

/** In these forms of an avatar, the items must be those that the environment names or a profile shows. */
const SHOWN = /-shown$/;

/**
 * The items that this process saw in the profiles of an environment, for all its runs. If the environment's files change, the environment
 * is loaded as a new object, so its profiles are read again.
 */
const seen = new WeakMap<Environment, Promise<WornItems>>();

/**
 * Items for an avatar, from the profiles of the caller and the friend. Empty if AVATAR_ITEM_IDS names items, or if a fact says that the service
 * accepts invented items.
 */
export async function shownItems(world: WorldBasis, form = world.facts.formOf('saveAvatar')): Promise<WornItems> {
  const { environment } = world;
  if (environment.data.avatarItemIds?.length || (form !== undefined && !SHOWN.test(form))) return {};
  const found = seen.get(environment) ?? itemsInProfiles(world);
  seen.set(environment, found);
  // Forgets an error, such as the end of this scenario, so that the next scenario reads the profiles again.
  found.catch(() => seen.delete(environment));
  return found;
}

async function itemsInProfiles(world: WorldBasis): Promise<WornItems> {
  const { readProfile, caller, friend, successWhen } = world.environment;
  if (!readProfile) return {};
  const title = 'read which items a profile shows, because AVATAR_ITEM_IDS names none';
  return world.observer.step(title, callSite(itemsInProfiles), async () => {
    try {
      const session = await world.ownSession();
      for (const userId of [caller.userId, friend.userId].filter((id) => id !== undefined)) {
        const read = await session.exchange(readProfile, { userId }, new Map(), 'settled');
        const items = outcomeOf(read, successWhen).isAccepted ? itemsIn(read) : {};
        if (items.avatarItemIds) return items;
      }
    } catch (error) {
      // If the read fails, the suite can still judge everything else.
      if (!(error instanceof SuiteError)) throw error;
    }
    return {};
  });
}

/** The ids of items and of a design in the response with a profile. The specification doesn't show the shape of this response. */
function itemsIn({ response }: Exchange): WornItems {
  const records = [...recordsIn(response?.body.json.ok ? response.body.json.value : undefined)];
  const under = (name: RegExp, holders = records) =>
    holders.flatMap((record) =>
      Object.entries(record).flatMap(([key, value]) => (name.test(key) ? idsIn(record, key, value) : [])),
    );
  const inLists = new Set<unknown>(
    records.flatMap((record) =>
      Object.entries(record).flatMap(([key, list]) => (/items$/i.test(key) && Array.isArray(list) ? list : [])),
    ),
  );
  const ids = [
    ...under(/^item_?id$/i),
    ...under(
      /^id$/i,
      records.filter((record) => inLists.has(record)),
    ),
    ...[...inLists].filter((item) => typeof item === 'string'),
  ];
  const [designId] = under(/^design_?id$/i);
  return ids.length > 0
    ? { avatarItemIds: [...new Set(ids)], ...(designId === undefined ? {} : { avatarDesignId: designId }) }
    : {};
}

function idsIn(record: object, key: string, value: unknown): string[] {
  const id = exactly(record, key, value);
  return (typeof id === 'string' && id !== '') || typeof id === 'number' ? [String(id)] : [];
}
