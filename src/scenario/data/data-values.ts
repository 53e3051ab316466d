import {
  bodies,
  type CallableId,
  operation,
  type PathOperationId,
  paths,
  readProfile,
  type SampleSource,
} from '../../service/index.ts';
import { Skipped } from '../specs/tags.ts';
import { shownItems } from './shown-items.ts';
import { itemDeletion, NoItemLeft, storedItem } from './stored-item.ts';
import { moreUsers } from './users.ts';
import type { WorldBasis } from './world-basis.ts';

export const dataFactories = {
  environment: (world: WorldBasis) => world.environment,
  data: (world: WorldBasis) => world.data,
  defer: (world: WorldBasis) => world.defer,

  caller: async (world: WorldBasis) => ({ id: (await world.users()).caller.userId }),
  friend: async (world: WorldBasis) => friendOf(world, (await world.users()).friend.userId),
  /** A third user; invented without a provisioner and OTHER_USER_IDS. */
  stranger: async (world: WorldBasis) => other(world, (await world.users()).stranger.userId),
  anotherStranger: async (world: WorldBasis) => other(world, (await world.users()).anotherStranger.userId),

  story: (world: WorldBasis) => ({ id: needed(world.environment.data.storyId, 'STORY_ID') }),
  anotherStory: (world: WorldBasis) => ({ id: needed(world.environment.data.otherStoryId, 'OTHER_STORY_ID') }),
  /** Another client that the caller's token is valid for. */
  otherClient: (world: WorldBasis) => ({ id: needed(world.environment.data.otherClientId, 'OTHER_CLIENT_ID') }),
  language: (world: WorldBasis) => needed(world.environment.data.reportLanguage, 'REPORT_LANGUAGE'),
  flagKey: (world: WorldBasis) => needed(world.environment.data.flagKey, 'FLAG_KEY'),
  /** Arguments to clone a design type, by the reading of TYPE_VERSION. */
  typeClone: (world: WorldBasis) => typeClone(world),
  /** A stored item that may be deleted, once. */
  storedItem: (world: WorldBasis) => storedItem(world),
  /** Deletes so many stored items, each of which must be there to be deleted. */
  deletesItems: (world: WorldBasis) => itemDeletion(world),
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

/** A user other than the caller; not an invented one where the service rejects unknown users. */
async function other({ data, facts, environment }: WorldBasis, id: string): Promise<{ readonly id: string }> {
  if (data.isInvented(id) && isRefused(await facts.asked('unknown-user', 'block')))
    throw new Skipped(`needs a user who exists: ${moreUsers(environment)}`);
  return { id };
}

/** The same of the user who is the control of that question: it isn't asked about an invented one. */
function friendOf({ data, facts, environment }: WorldBasis, id: string): { readonly id: string } {
  if (data.isInvented(id) && isRefused(facts.answer('unknown-user', 'block')))
    throw new Skipped(`needs a user who exists: ${moreUsers(environment)}`);
  return { id };
}

function isRefused(answer: string | undefined): boolean {
  return answer?.startsWith('refused') ?? false;
}

/** A clone of the type that the environment names; another label each time, where labels are the copy's. */
export function typeClone({ environment: { data: named }, data, facts }: WorldBasis, form = facts.formOf('cloneType')) {
  const source = {
    FromClientId: needed(named.fromClientId, 'FROM_CLIENT_ID'),
    TypeName: needed(named.typeName, 'TYPE_NAME'),
    Files: [],
    IsSetDefaultTypeVersion: false,
  };
  const version = needed(named.typeVersion, 'TYPE_VERSION');
  return { ...source, TypeVersion: form === 'copy' ? data.version(version) : version };
}

function needed<T>(value: T | undefined, key: string): T {
  if (value === undefined) throw new Skipped(`needs ${key}`);
  return value;
}

/**
 * Valid arguments of an operation, of the scenario's own data; `form` is a reading of the question that decides their form, absent for the one
 * that is known. @throws Skipped where the environment lacks it.
 */
export async function sampleArguments(world: WorldWithData, id: CallableId, form?: string): Promise<unknown> {
  if (id === readProfile.id) return profileToRead(world);
  const { request } = operation(id);
  const worn = request === 'avatar' ? await shownItems(world, form) : {};
  const from: SampleSource = {
    user: async () => (await world.value('friend')).id,
    story: async () => (await world.value('story')).id,
    language: () => world.value('language'),
    item: () => itemToDelete(world),
    segments: world.environment.blockListSegments,
    typeClone: () => typeClone(world, form),
    data: { ...world.data, avatar: () => world.data.avatar(form, worn), profile: () => world.data.profile(form) },
  };
  return request ? bodies[request](from) : paths[id as PathOperationId](from);
}

async function itemToDelete(world: WorldWithData): Promise<string> {
  const item = await world.value('storedItem').catch((error: unknown) => {
    // A refusal is no judgement on deletion; the scenarios that delete report that no item is left.
    throw error instanceof NoItemLeft ? new Skipped(error.message) : error;
  });
  return item.id;
}

/** The friend's profile if there is a friend: an invented user has none. */
async function profileToRead(world: WorldWithData): Promise<unknown> {
  await world.value('canReadProfile');
  const { id } = await world.value('friend');
  return { userId: world.data.isInvented(id) ? (await world.value('caller')).id : id };
}
