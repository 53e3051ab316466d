import { type AreaClient, areaClient } from '../client/index.ts';
import { type AreaId, areaIds, type OperationId, readProfile } from '../spec/index.ts';
import { callByName } from './call-by-name.ts';
import { type ModelTest, runModelTest } from './model-based/index.ts';
import { sampleArguments } from './sample-arguments.ts';
import { attempts, takeBack } from './send-invalid-input.ts';
import { Skipped } from './skip.ts';
import { type ClaimedItem, claimItem } from './stored-items.ts';
import type { Actor } from './users.ts';
import type { World } from './world.ts';

const client =
  <A extends AreaId>(area: A) =>
  async (world: World) =>
    areaClient(await world.session(), area);

const as = (actor: Actor) => async (world: World) => {
  const session = await world.session(actor);
  return {
    friends: areaClient(session, 'friends'),
    stories: areaClient(session, 'stories'),
    profile: areaClient(session, 'profile'),
  };
};

/** One client per base address, by the area's name. */
const clients = Object.fromEntries(areaIds.map((area) => [area, client(area)])) as {
  readonly [A in AreaId]: (world: World) => Promise<AreaClient<A>>;
};

/** What a spec can ask for by name. */
export const factories = {
  environment: (world: World) => world.environment,
  data: (world: World) => world.data,
  defer: (world: World) => world.defer,

  ...clients,

  /** The same areas as the second user. */
  asFriend: as('friend'),
  /** And as a third one, whom only a provisioner can give. */
  asStranger: as('stranger'),
  /** Any operation by its catalogue name, for specs that are generated from it. */
  call: async (world: World) => callByName(await world.session()),
  /** Declares the undo of an operation that may have been carried out although it should not have been. */
  takeBack: async (world: World) => takeBack(callByName(await world.session()), world.defer),
  /** Valid arguments of any operation, by its catalogue name. */
  sample: (world: World) => (id: OperationId) => sampleArguments(world, id),

  caller: async (world: World) => ({ id: (await world.users()).caller.userId }),
  friend: async (world: World) => ({ id: (await world.users()).friend.userId }),
  /** A third user; invented where nobody can provision one. */
  stranger: async (world: World) => ({ id: (await world.users()).stranger.userId }),

  story: (world: World) => ({ id: needed(world.environment.data.storyId, 'STORY_ID') }),
  language: (world: World) => needed(world.environment.data.reportLanguage, 'REPORT_LANGUAGE'),
  flagKey: (world: World) => needed(world.environment.data.flagKey, 'FLAG_KEY'),
  typeSource: ({ environment: { data } }: World) => ({
    FromClientId: needed(data.fromClientId, 'FROM_CLIENT_ID'),
    TypeName: needed(data.typeName, 'TYPE_NAME'),
    versionStart: needed(data.typeVersion, 'TYPE_VERSION'),
  }),
  /** A stored item that may be deleted, once. */
  storedItem: (world: World) => storedItem(world),
  /** One more of them. */
  anotherStoredItem: (world: World) => storedItem(world),
  /** Sends what may be odd and judges how the service copes; what it took is taken back. */
  attempt: async (world: World) => attempts(callByName(await world.session()), world.defer),
  /** Carries out random plans; see src/scenario/model-based. */
  modelTest:
    (world: World) =>
    <Plan>(walk: ModelTest<Plan>): Promise<void> =>
      runModelTest(world, walk),
  /** As many of a list of tries as REQUEST_BUDGET lets one spec make. */
  within:
    ({ environment }: World) =>
    <T>(tries: readonly T[]): readonly T[] =>
      tries.slice(0, environment.requestBudget),
  /** Row 12 as the team knows it. */
  canReadProfile: (world: World) => {
    needed(world.environment[readProfile.id], 'FRIEND_PROFILE_REQUEST');
    return true as const;
  },
} satisfies Record<string, (world: World) => unknown>;

type Factories = typeof factories;

/** What a scenario's body is given, by name. */
export type WorldValues = { readonly [K in keyof Factories]: Awaited<ReturnType<Factories[K]>> };

export const valueNames = Object.keys(factories) as (keyof WorldValues)[];

async function storedItem(world: World): Promise<ClaimedItem> {
  const provisioner = await world.provisioner();
  if (provisioner) {
    const [id] = await provisioner.items((await world.users()).caller.userId, 1);
    return { id: id as string, release: () => {} };
  }
  const { name, data } = world.environment;
  const claimed = claimItem(name, data.storedItemIds);
  if (!claimed)
    throw new Skipped(
      `needs an item that may be deleted: every id of STORED_ITEM_IDS was used (${data.storedItemIds.length} given), and there is no PROVISION_URL`,
    );
  return claimed;
}

function needed<T>(value: T | undefined, key: string): T {
  if (value === undefined) throw new Skipped(`needs ${key}`);
  return value;
}
