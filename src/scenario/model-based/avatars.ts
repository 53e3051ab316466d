import { type ModelTest, withoutOne } from './model-test.ts';

const users = ['caller', 'friend'] as const;

/** Two users save their avatars in any order: adding or updating, each must succeed (specification, part 4, rule 1). */
export const avatars: ModelTest<(typeof users)[number][]> = {
  plans: ({ array, constantFrom }) => array(constantFrom(...users), { minLength: 1, maxLength: 6 }),
  requests: 6,
  perform: async (plan, actors) => {
    const clients = { caller: await actors.as('caller'), friend: await actors.as('friend') };
    for (const who of plan)
      await clients[who].profile
        .saveAvatar(actors.world.data.avatar())
        .succeeds('documented: an avatar is updated where there is one, and added where there is none');
  },
  shorter: withoutOne,
  describe: (plan) => plan.map((who) => `the ${who} saves an avatar`),
};
