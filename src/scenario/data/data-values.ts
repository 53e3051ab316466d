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

/**
 * The second user. Never asks the question about invented users, because its experiment needs the second user as the control. @throws
 * Skipped if the user is invented, and the service is known to refuse invented users
 */
export async function friendOf(world: WorldBasis): Promise<{ readonly id: string }> {
  const { userId } = (await world.users()).friend;
  return known(world, userId, world.facts.answer('unknown-user', 'block'));
}

/** A third or a fourth user. Without a provisioner and OTHER_USER_IDS, the user is invented. */
export async function strangerOf(world: WorldBasis, which: 'stranger' | 'anotherStranger' = 'stranger') {
  const { userId } = (await world.users())[which];
  return known(world, userId, world.data.isInvented(userId) ? await world.facts.asked('unknown-user', 'block') : '');
}

/** A user by id. @throws Skipped if the user is invented, and the service is known to refuse unknown users */
function known({ data, environment }: WorldBasis, id: string, ofUnknown = ''): { readonly id: string } {
  if (data.isInvented(id) && ofUnknown.startsWith('refused'))
    throw new Skipped(`needs a user who exists: ${moreUsers(environment)}`);
  return { id };
}

/** The stored item that a scenario may delete. Each scenario has only one. */
export const storedItemOf = (world: WorldBasis) => world.once(storedItem, () => storedItem(world));

/** The arguments that clone the environment's type. If a clone needs its own label, the label is new each time. */
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
 * Valid arguments of an operation, made from the scenario's data. `form` is one of the possible answers to the question about the form of
 * the arguments. Without `form`, uses the form that is known.
 * @throws Skipped if the environment lacks data for the arguments
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
    // The calling scenario only needs an item, and doesn't judge deletion, so it is skipped. The scenarios that delete items report that
    // none is left.
    throw error instanceof NoItemLeft ? new Skipped(error.message) : error;
  });
  return item.id;
}

/** Arguments that read the friend's profile, or the caller's if the friend is invented and so has none. */
async function profileToRead(world: WorldBasis): Promise<unknown> {
  needed(world.environment[readProfile.id], 'FRIEND_PROFILE_REQUEST');
  const { id } = await friendOf(world);
  return { userId: world.data.isInvented(id) ? (await callerOf(world)).id : id };
}
