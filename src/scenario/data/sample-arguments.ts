import {
  bodies,
  type CallableId,
  operation,
  type PathOperationId,
  paths,
  readProfile,
  type SampleSource,
} from '../../spec/index.ts';
import { Skipped } from '../specs/skip.ts';
import { typeClone, type WorldWithData } from './data-values.ts';
import { NoItemLeft } from './stored-item.ts';

/**
 * Valid arguments of an operation, made of the scenario's own data: what specs that are generated from the catalogue
 * send, or make invalid on purpose.
 * @throws Skipped where the environment lacks what they are made of.
 */
export async function sampleArguments(world: WorldWithData, id: CallableId): Promise<unknown> {
  if (id === readProfile.id) return profileToRead(world);
  const from: SampleSource = {
    user: async () => (await world.value('friend')).id,
    story: async () => (await world.value('story')).id,
    language: () => world.value('language'),
    item: () => itemToDelete(world),
    segments: world.environment.blockListSegments,
    typeClone: () => typeClone(world),
    data: world.data,
  };
  const { request } = operation(id);
  return request ? bodies[request](from) : paths[id as PathOperationId](from);
}

async function itemToDelete(world: WorldWithData): Promise<string> {
  const item = await world.value('storedItem').catch((error: unknown) => {
    // A refusal is no judgement on deletion; the scenarios that delete report that no item is left.
    throw error instanceof NoItemLeft ? new Skipped(error.message) : error;
  });
  // A spoiled request doesn't use the item up.
  world.defer(item.release);
  return item.id;
}

/** The friend's profile if there is a friend: an invented user has none. */
async function profileToRead(world: WorldWithData): Promise<unknown> {
  await world.value('canReadProfile');
  const { id } = await world.value('friend');
  return { userId: world.data.isInvented(id) ? (await world.value('caller')).id : id };
}
