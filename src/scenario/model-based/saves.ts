import { type OperationsWith, operation } from '../../spec/index.ts';
import { sampleArguments } from '../data/sample-arguments.ts';
import { type ModelTest, withoutOne } from './model-test.ts';

const users = ['caller', 'friend'] as const;

/** Two users save in any order with an operation that adds or updates: each time must succeed (specification, part 4, rule 1). */
export function saveModel(id: OperationsWith<'addsOrUpdates'>): ModelTest<(typeof users)[number][]> {
  return {
    plans: ({ array, constantFrom }) => array(constantFrom(...users), { minLength: 1, maxLength: 6 }),
    requests: 6,
    perform: async (plan, actors) => {
      const as = { caller: await actors.as('caller'), friend: await actors.as('friend') };
      for (const who of plan)
        await as[who]
          .call(id, await sampleArguments(actors.world, id))
          .succeeds('documented: what there is is updated, and what there is not is added');
    },
    shorter: withoutOne,
    describe: (plan) => plan.map((who) => `the ${who}: ${operation(id).title.toLowerCase()}`),
  };
}
