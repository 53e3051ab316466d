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
import { NoItemLeft, storedItem } from './stored-item.ts';
import { moreUsers } from './users.ts';
import type { WorldBasis } from './world-basis.ts';

export const callerOf = async (world: WorldBasis) => ({ id: (await world.users()).caller.userId });

/** The second user, who is the control of the question about unknown users: it isn't asked about an invented one. */
export async function friendOf(world: WorldBasis): Promise<{ readonly id: string }> {
  const { userId } = (await world.users()).friend;
  return known(world, userId, world.facts.answer('unknown-user', 'block'));
}

/** A third user, or one more; invented without a provisioner and OTHER_USER_IDS. */
export async function strangerOf(world: WorldBasis, which: 'stranger' | 'anotherStranger' = 'stranger') {
  const { userId } = (await world.users())[which];
  return known(world, userId, world.data.isInvented(userId) ? await world.facts.asked('unknown-user', 'block') : '');
}

/** A user who exists where the service rejects others. */
function known({ data, environment }: WorldBasis, id: string, ofUnknown = ''): { readonly id: string } {
  if (data.isInvented(id) && ofUnknown.startsWith('refused'))
    throw new Skipped(`needs a user who exists: ${moreUsers(environment)}`);
  return { id };
}

/** A stored item that may be deleted, once: a scenario has one. */
export const storedItemOf = (world: WorldBasis) => world.once(storedItem, () => storedItem(world));

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

/** A value of the environment. @throws Skipped without it */
export function needed<T>(value: T | undefined, key: string): T {
  if (value === undefined) throw new Skipped(`needs ${key}`);
  return value;
}

/**
 * Valid arguments of an operation, of the scenario's own data; `form` is a reading of the question that decides their form, absent for the one
 * that is known. @throws Skipped where the environment lacks it.
 */
export async function sampleArguments(world: WorldBasis, id: CallableId, form?: string): Promise<unknown> {
  if (id === readProfile.id) return profileToRead(world);
  const { request } = operation(id);
  const worn = request === 'avatar' ? await shownItems(world, form) : {};
  const from: SampleSource = {
    user: async () => (await friendOf(world)).id,
    story: async () => needed(world.environment.data.storyId, 'STORY_ID'),
    language: async () => needed(world.environment.data.reportLanguage, 'REPORT_LANGUAGE'),
    item: () => itemToDelete(world),
    segments: world.environment.blockListSegments,
    typeClone: () => typeClone(world, form),
    data: { ...world.data, avatar: () => world.data.avatar(form, worn), profile: () => world.data.profile(form) },
  };
  return request ? bodies[request](from) : paths[id as PathOperationId](from);
}

async function itemToDelete(world: WorldBasis): Promise<string> {
  const item = await storedItemOf(world).catch((error: unknown) => {
    // A refusal is no judgement on deletion; the scenarios that delete report that no item is left.
    throw error instanceof NoItemLeft ? new Skipped(error.message) : error;
  });
  return item.id;
}

/** The friend's profile if there is a friend: an invented user has none. */
async function profileToRead(world: WorldBasis): Promise<unknown> {
  needed(world.environment[readProfile.id], 'FRIEND_PROFILE_REQUEST');
  const { id } = await friendOf(world);
  return { userId: world.data.isInvented(id) ? (await callerOf(world)).id : id };
}
