import { type Exchange, isSuccess, type SuccessRule } from '../../client/index.ts';
import { counted } from '../../config/index.ts';
import { NoItemLeft, Skipped, storedItem, type WorldWithData } from '../../scenario/index.ts';
import { operationsWith } from '../../spec/index.ts';
import { Undecided } from '../facts/fact.ts';

/** Maximum number of stored items that a survey deletes: a team reserves them for all its runs. */
export const MOST_ITEMS = 3;

/** The items of STORED_ITEM_IDS that a survey may delete, one after the other. */
export class SpareItems {
  readonly #world: WorldWithData;
  readonly #most: number;
  readonly #spare: string[] = [];
  #taken = 0;

  constructor(world: WorldWithData, most: number) {
    this.#world = world;
    this.#most = most;
  }

  /** @throws Undecided if none is left. */
  async take(): Promise<string> {
    const spare = this.#spare.pop();
    if (spare !== undefined) return spare;
    if (this.#taken >= this.#most)
      throw new Undecided(`needs more than the ${counted(this.#most, 'item')} that may be deleted: PROVISION_URL`);
    try {
      const { id } = await storedItem(this.#world);
      this.#taken++;
      return id;
    } catch (error) {
      if (error instanceof Skipped || error instanceof NoItemLeft) throw new Undecided(error.message);
      throw error;
    }
  }

  /** Returns an item that is known to exist. */
  keep(id: string): void {
    this.#spare.push(id);
  }
}

/** Whether an operation takes a stored item, which is gone then. */
export function isUsedUp(id: string): boolean {
  return operationsWith('usesUp').some((entry) => entry.id === id && entry.usesUp?.renewedBy === 'item');
}

/** The first deletion in `exchanges`, as a control for other requests. */
export function deletionAmong(
  exchanges: readonly Exchange[],
  rule: SuccessRule | undefined,
): { readonly exchange: Exchange; readonly args: { readonly id: string } } | undefined {
  const exchange = exchanges.find(
    ({ operation, response }) => isUsedUp(operation) && response && isSuccess(operation, response, rule),
  );
  const id = exchange && new URL(exchange.request.url).pathname.split('/').at(-1);
  return id ? { exchange, args: { id: decodeURIComponent(id) } } : undefined;
}
