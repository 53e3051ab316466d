import { KNOWN_REPORT_CODE } from '../../schemas/index.ts';
import type { OperationId } from '../spec/index.ts';
import type { World } from './world.ts';

/**
 * Valid arguments of an operation, made of the scenario's own data: what specs that are generated from the catalogue
 * send, or spoil on purpose.
 * @throws Skipped where the environment lacks what they are made of.
 */
export async function sampleArguments(world: World, id: OperationId): Promise<unknown> {
  const { data, environment } = world;
  const story = async () => ({ storyId: (await world.value('story')).id });
  const friend = async () => ({ friendId: (await world.value('friend')).id });
  const samples: Readonly<Record<OperationId, () => unknown>> = {
    block: friend,
    unblock: friend,
    listBlocked: () => environment.blockListSegments,
    listBlockers: () => environment.blockListSegments,
    love: story,
    unlove: story,
    reportOptions: async () => ({ language: await world.value('language') }),
    report: async () => ({ ...(await story()), reports: [KNOWN_REPORT_CODE], message: data.text() }),
    cloneType: async () => {
      const { versionStart, ...source } = await world.value('typeSource');
      return { ...source, TypeVersion: data.version(versionStart), Files: [], IsSetDefaultTypeVersion: false };
    },
    saveAvatar: () => data.avatar(),
    updateProfile: () => data.profile(),
    getFriendProfile: () => data.profile(),
    evaluate: () => ({ key: data.id(), default: 'false', contextData: data.context() }),
    deleteItem: async () => {
      const item = await world.value('storedItem');
      // A spoiled request doesn't use the item up.
      world.defer(item.release);
      return { id: item.id };
    },
  };
  return samples[id]();
}
