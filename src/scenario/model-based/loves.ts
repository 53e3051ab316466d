import { type ModelTest, withoutOne } from './model-test.ts';

const users = ['caller', 'friend'] as const;

interface LoveStep {
  readonly who: (typeof users)[number];
  readonly does: 'love' | 'unlove';
}

/** Two users love and unlove one story in any order. No operation reads loves: the model determines what must succeed. */
export const loves: ModelTest<LoveStep[]> = {
  plans: ({ array, constantFrom, record }) =>
    array(record({ who: constantFrom(...users), does: constantFrom('love' as const, 'unlove' as const) }), {
      minLength: 1,
      maxLength: 8,
    }),
  requests: 8,
  perform: async (plan, actors) => {
    const clients = { caller: await actors.as('caller'), friend: await actors.as('friend') };
    const story = await actors.world.value('story');
    const send = ({ who, does }: LoveStep) => clients[who].stories[does]({ storyId: story.id });
    await actors.cleanly(async () => {
      for (const who of users) await send({ who, does: 'unlove' }).settles();
    });
    const loved = new Set<string>();
    for (const step of plan) {
      const changes = loved.has(step.who) !== (step.does === 'love');
      // The specification doesn't define loving twice, or unloving a story that isn't loved.
      if (changes) await send(step).succeeds(`assumed: a story can be ${step.does}d, whatever happened before`);
      else await send(step).settles();
      if (step.does === 'love') loved.add(step.who);
      else loved.delete(step.who);
    }
  },
  shorter: withoutOne,
  describe: (plan) => plan.map(({ who, does }) => `the ${who} ${does}s the story`),
};
