import { KNOWN_REPORT_CODE, type RequestSchemaName } from '../../schemas/index.ts';
import { type OperationId, operation, type PathOperationId } from '../spec/index.ts';
import type { WorldWithData } from './data-values.ts';

/**
 * Valid arguments of an operation, made of the scenario's own data: what specs that are generated from the catalogue
 * send, or make invalid on purpose.
 * @throws Skipped where the environment lacks what they are made of.
 */
export async function sampleArguments(world: WorldWithData, id: OperationId): Promise<unknown> {
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
  designTypeClone: async (world) => {
    const { versionStart, ...source } = await world.value('typeSource');
    return { ...source, TypeVersion: world.data.version(versionStart), Files: [], IsSetDefaultTypeVersion: false };
  },
  featureEvaluation: ({ data }) => ({ key: data.id(), default: 'false', contextData: data.context() }),
};

/** Path parameters of each operation without a body. */
const paths: Samples<PathOperationId> = {
  listBlocked: segments,
  listBlockers: segments,
  reportOptions: async (world) => ({ language: await world.value('language') }),
  deleteItem: async (world) => {
    const item = await world.value('storedItem');
    // A spoiled request doesn't use the item up.
    world.defer(item.release);
    return { id: item.id };
  },
};
