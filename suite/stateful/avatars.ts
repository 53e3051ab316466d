import { array, constantFrom } from 'fast-check';
import type { World } from '../world.ts';
import type { Crew } from './crew.ts';
import type { Walk } from './walk.ts';

const users = ['caller', 'friend'] as const;

/** Two users save their avatars in any order: adding or updating, each must succeed (document, part 4, rule 1). */
export async function avatars(world: World, crew: Crew): Promise<Walk<(typeof users)[number][]>> {
  const clients = { caller: await crew.as('caller'), friend: await crew.as('friend') };
  return {
    plans: array(constantFrom(...users), { minLength: 1, maxLength: 6 }),
    requests: 6,
    perform: async (plan) => {
      for (const who of plan)
        await clients[who].profile
          .saveAvatar(world.data.avatar())
          .succeeds('documented: an avatar is updated where there is one, and added where there is none');
    },
    tell: (plan) => plan.map((who) => `the ${who} saves an avatar`),
  };
}
