import { counted } from '../config/index.ts';
import { readProfile } from '../spec/index.ts';
import { Skipped } from './skip.ts';
import { type ClaimedItem, claimItem } from './stored-items.ts';
import type { WorldBasis } from './world-basis.ts';

/** The users and the test data that a spec can ask for by name. */
export const dataFactories = {
  environment: (world: WorldBasis) => world.environment,
  data: (world: WorldBasis) => world.data,
  defer: (world: WorldBasis) => world.defer,

  caller: async (world: WorldBasis) => ({ id: (await world.users()).caller.userId }),
  friend: async (world: WorldBasis) => ({ id: (await world.users()).friend.userId }),
  /** A third user; invented where nobody can provision one. */
  stranger: async (world: WorldBasis) => ({ id: (await world.users()).stranger.userId }),

  story: (world: WorldBasis) => ({ id: needed(world.environment.data.storyId, 'STORY_ID') }),
  language: (world: WorldBasis) => needed(world.environment.data.reportLanguage, 'REPORT_LANGUAGE'),
  flagKey: (world: WorldBasis) => needed(world.environment.data.flagKey, 'FLAG_KEY'),
  typeSource: ({ environment: { data } }: WorldBasis) => ({
    FromClientId: needed(data.fromClientId, 'FROM_CLIENT_ID'),
    TypeName: needed(data.typeName, 'TYPE_NAME'),
    versionStart: needed(data.typeVersion, 'TYPE_VERSION'),
  }),
  /** A stored item that may be deleted, once. */
  storedItem: (world: WorldBasis) => storedItem(world),
  /** One more of them. */
  anotherStoredItem: (world: WorldBasis) => storedItem(world),
  /** Row 12 as the team knows it. */
  canReadProfile: (world: WorldBasis) => {
    needed(world.environment[readProfile.id], 'FRIEND_PROFILE_REQUEST');
    return true as const;
  },
} satisfies Record<string, (world: WorldBasis) => unknown>;

type Factories = typeof dataFactories;

export type DataValues = { readonly [K in keyof Factories]: Awaited<ReturnType<Factories[K]>> };

/** A world that hands out its data; each value is made once. */
export interface WorldWithData extends WorldBasis {
  /** @throws Skipped where the environment lacks what the value is made of. */
  value<K extends keyof DataValues>(name: K): Promise<DataValues[K]>;
}

/** One more item that may be deleted, for the asker alone. @throws Skipped when there is none. */
export async function storedItem(world: WorldBasis): Promise<ClaimedItem> {
  const provisioner = await world.provisioner();
  if (provisioner) {
    const [id] = await provisioner.items((await world.users()).caller.userId, 1);
    return { id: id as string, release: () => {} };
  }
  const { name, data } = world.environment;
  const claimed = claimItem(name, data.storedItemIds);
  if (!claimed)
    throw new Skipped(
      `needs a stored item to delete: ${data.storedItemIds.length === 0 ? 'STORED_ITEM_IDS is empty' : `all ${counted(data.storedItemIds.length, 'id')} of STORED_ITEM_IDS ${data.storedItemIds.length === 1 ? 'is' : 'are'} used`}, and PROVISION_URL is not set`,
    );
  return claimed;
}

function needed<T>(value: T | undefined, key: string): T {
  if (value === undefined) throw new Skipped(`needs ${key}`);
  return value;
}
