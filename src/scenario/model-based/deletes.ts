import { type OperationsWith, operation, pathParameters } from '../../spec/index.ts';
import { Skipped } from '../specs/skip.ts';
import { type ModelTest, withoutOne } from './model-test.ts';

const ITEMS = 3;

/** Items used up in any order, some of them twice: the first time must succeed, the second must not be a 5xx. */
export function deleteModel(id: OperationsWith<'usesUp'>): ModelTest<number[]> {
  const [parameter = ''] = pathParameters(operation(id).path);
  return {
    plans: ({ array, nat }) => array(nat({ max: ITEMS - 1 }), { minLength: 1, maxLength: 5 }),
    requests: 5,
    perform: async (plan, actors) => {
      const { call, id: userId } = await actors.as('caller');
      const provisioner = await actors.world.provisioner();
      if (!provisioner)
        throw new Skipped('needs fresh stored items for each plan, more than STORED_ITEM_IDS has: PROVISION_URL');
      const items = await provisioner.items(userId, ITEMS);
      const gone = new Set<number>();
      for (const index of plan) {
        const sent = call(id, { [parameter]: items[index] as string });
        if (gone.has(index)) await sent.settles('assumed: deleting an item again is not a server error');
        else await sent.succeeds('documented: a stored item is deleted by its id');
        gone.add(index);
      }
    },
    shorter: withoutOne,
    describe: (plan) => plan.map((index) => `item ${index + 1} is deleted`),
  };
}
