import { type Exchange, isSuccess, type SuccessRule } from '../../client/index.ts';
import { counted } from '../../config/index.ts';
import { NoItemLeft, Skipped, storedItem, type WorldWithData } from '../../scenario/index.ts';
import { operationsWith } from '../../spec/index.ts';
import { type Finding, Undecided } from '../facts/fact.ts';

/** Maximum number of stored items that a survey deletes: a team reserves them for all its runs. */
const MOST_ITEMS = 3;

export class StoredItems {
  readonly #world: WorldWithData;
  readonly #userId: string;
  readonly #most: number;
  /** Items of the environment that may be deleted and are still there. */
  readonly #spare: string[] = [];
  #taken = 0;

  constructor(world: WorldWithData, userId: string, isSparing: boolean) {
    this.#world = world;
    this.#userId = userId;
    this.#most = isSparing ? 0 : MOST_ITEMS;
  }

  /** A fresh item, or one of the environment's. @throws Undecided if none is left. */
  async take(): Promise<string> {
    const provisioner = await this.#world.provisioner();
    if (!provisioner) return this.#ofEnvironment();
    const [id] = await provisioner.items(this.#userId, 1);
    return id as string;
  }

  /** Risks one of the environment's items; it stays for the next question if its deletion is refused. @throws Undecided */
  async risk(experiment: (id: string) => Promise<Finding>): Promise<Finding> {
    const id = await this.#ofEnvironment();
    const finding = await experiment(id);
    if (finding.answer !== 'accepted') this.#spare.push(id);
    return finding;
  }

  async #ofEnvironment(): Promise<string> {
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
}

/** Whether an operation takes a stored item, which is gone then. */
export function isUsedUp(id: string): boolean {
  return operationsWith('usesUp').some((entry) => entry.id === id && entry.usesUp?.renewedBy === 'item');
}

/** The first deletion in `exchanges`, as a control for other requests. */
export function deletionAmong(exchanges: readonly Exchange[], rule: SuccessRule | undefined) {
  const exchange = exchanges.find(
    ({ operation, response }) => isUsedUp(operation) && response && isSuccess(operation, response, rule),
  );
  const id = exchange && new URL(exchange.request.url).pathname.split('/').at(-1);
  return id ? { exchange, args: { id: decodeURIComponent(id) } } : undefined;
}
