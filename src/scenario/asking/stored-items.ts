import { counted } from '../../environment/index.ts';
import { type Exchange, parsedJson } from '../../http/index.ts';
import { type Answer, Undecided } from '../../questions/index.ts';
import { outcomeOf, type SuccessRule } from '../../verdict/index.ts';
import { NoItemLeft, storedItem } from '../data/stored-item.ts';
import type { WorldBasis } from '../data/world-basis.ts';
import { Skipped } from '../specs/tags.ts';

/** Maximum number of stored items that a survey deletes: a team reserves them for all its runs. */
const MOST_ITEMS = 3;

export function itemsToDelete(world: WorldBasis, isSparing: boolean) {
  const most = isSparing ? 0 : MOST_ITEMS;
  /** Items of the environment that may be deleted and are still there. */
  const spare: string[] = [];
  let taken = 0;

  /** A fresh item, or one of the environment's. @throws Undecided if none is left. */
  async function take(): Promise<string> {
    const known = spare.pop();
    if (known !== undefined) return known;
    if (taken >= most && !(await world.provisioner()))
      throw new Undecided(`needs more than the ${counted(most, 'item')} that may be deleted: PROVISION_URL`);
    try {
      const { id } = await storedItem(world);
      taken++;
      return id;
    } catch (error) {
      if (error instanceof Skipped || error instanceof NoItemLeft) throw new Undecided(error.message);
      throw error;
    }
  }

  return {
    take,
    /**
     * Lets an experiment try to delete an item of the environment. If the deletion is refused, the next question gets the item.
     * @throws Undecided
     */
    risk: async (experiment: (id: string) => Promise<Answer>): Promise<Answer> => {
      const id = await take();
      const finding = await experiment(id);
      if (finding.answer !== 'accepted') spare.push(id);
      return finding;
    },
  };
}

/** The last accepted request of an operation. Its arguments are its body or, without one, the id at the end of its path. */
export function acceptedAmong(id: string, exchanges: readonly Exchange[], rule: SuccessRule | undefined) {
  const exchange = exchanges.findLast((each) => each.operation === id && outcomeOf(each, rule).isAccepted);
  if (!exchange) return undefined;
  const { url, body } = exchange.request;
  const args = body ? parsedJson(body) : { id: decodeURIComponent(new URL(url).pathname.split('/').at(-1) ?? '') };
  return args === undefined ? undefined : { exchange, args };
}
