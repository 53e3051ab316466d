import { array, constantFrom } from 'fast-check';
import { type Walk, withoutOne } from './model-test.ts';

const users = ['caller', 'friend'] as const;

/** Two users save their avatars in any order: adding or updating, each must succeed (document, part 4, rule 1). */
export const avatars: Walk<(typeof users)[number][]> = {
  plans: array(constantFrom(...users), { minLength: 1, maxLength: 6 }),
  requests: 6,
  perform: async (plan, crew) => {
    const clients = { caller: await crew.as('caller'), friend: await crew.as('friend') };
    for (const who of plan)
      await clients[who].profile
        .saveAvatar(crew.world.data.avatar())
        .succeeds('documented: an avatar is updated where there is one, and added where there is none');
  },
  shorter: withoutOne,
  tell: (plan) => plan.map((who) => `the ${who} saves an avatar`),
};
