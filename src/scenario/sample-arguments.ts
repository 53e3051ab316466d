import { KNOWN_REPORT_CODE, type RequestSchemaName } from '../../schemas/index.ts';
import { type CallableId, operation, type PathOperationId, readProfile } from '../spec/index.ts';
import { typeClone, type WorldWithData } from './data-values.ts';
import { Skipped } from './skip.ts';
import { NoItemLeft } from './stored-item.ts';

/**
 * Valid arguments of an operation, made of the scenario's own data: what specs that are generated from the catalogue
 * send, or make invalid on purpose.
 * @throws Skipped where the environment lacks what they are made of.
 */
export async function sampleArguments(world: WorldWithData, id: CallableId): Promise<unknown> {
  if (id === readProfile.id) return profileToRead(world);
  const { request } = operation(id);
  return request ? bodies[request](world) : paths[id as PathOperationId](world);
}

type Samples<Name extends string> = { readonly [N in Name]: (world: WorldWithData) => unknown };

const story = async (world: WorldWithData) => ({ storyId: (await world.value('story')).id });
const segments = ({ environment }: WorldWithData) => environment.blockListSegments;

/** A body of each documented request. */
const bodies: Samples<RequestSchemaName> = {
  friendReference: async (world) => ({ friendId: (await world.value('friend')).id }),
  storyReference: story,
  storyReport: async (world) => ({
    ...(await story(world)),
    reports: [KNOWN_REPORT_CODE],
    message: world.data.text(),
  }),
  avatar: ({ data }) => data.avatar(),
  profile: ({ data }) => data.profile(),
  designTypeClone: typeClone,
  featureEvaluation: ({ data }) => ({ key: data.text(), default: 'false', contextData: data.context() }),
};

/** Path parameters of each operation without a body. */
const paths: Samples<PathOperationId> = {
  listBlocked: segments,
  listBlockers: segments,
  reportOptions: async (world) => ({ language: await world.value('language') }),
  deleteItem: async (world) => {
    const item = await world.value('storedItem').catch((error: unknown) => {
      // A refusal is no judgement on deletion; the scenarios that delete report that no item is left.
      throw error instanceof NoItemLeft ? new Skipped(error.message) : error;
    });
    // A spoiled request doesn't use the item up.
    world.defer(item.release);
    return { id: item.id };
  },
};

/** The friend's profile if there is a friend: an invented user has none. */
async function profileToRead(world: WorldWithData): Promise<unknown> {
  await world.value('canReadProfile');
  const { id } = await world.value('friend');
  return { userId: world.data.isInvented(id) ? (await world.value('caller')).id : id };
}
