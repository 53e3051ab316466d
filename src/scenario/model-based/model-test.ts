import type * as FastCheck from 'fast-check';
import { type Exchange, type Observer, silent } from '../../client/index.ts';
import { callByName } from '../data/call-by-name.ts';
import type { WorldWithData } from '../data/data-values.ts';
import type { Actor } from '../data/users.ts';

/** Random plans, and the expectations while one is carried out. */
export interface ModelTest<Plan> {
  /** Gets the library as an argument, so that only a model test loads it. */
  plans(random: typeof FastCheck): FastCheck.Arbitrary<Plan>;
  /** Approximate maximum number of requests per plan. */
  readonly requests: number;
  /**
   * Carries out a plan from a clean start; declares its clean-up to the actors.
   * @throws Skipped if the environment lacks something.
   */
  perform(plan: Plan, actors: Actors): Promise<void>;
  /** The plans without one of the steps. */
  shorter(plan: Plan): Plan[];
  /** The plan in words, one line per step. */
  describe(plan: Plan): string[];
}

/** The lists without one of the elements. */
export function withoutOne<T>(list: readonly T[]): T[][] {
  return list.map((_, index) => list.toSpliced(index, 1));
}

/** The parts of a scenario's world that random plans need; each plan has a separate world. */
export interface PlanWorld extends WorldWithData {
  /** Another world of the same scenario, with fresh users if possible, and separate clean-up. */
  another(): PlanWorld;
  /** Cleans up; returns the errors. */
  close(options: { readonly verify: boolean }): Promise<unknown[]>;
}

/** The users of one plan, in a separate world. Their calls are not steps in the report: hundreds would be noise. */
export class Actors {
  readonly world: PlanWorld;
  readonly exchanges: Exchange[] = [];
  readonly #observer: Observer = { ...silent, exchanged: (exchange) => void this.exchanges.push(exchange) };

  constructor(world: PlanWorld) {
    this.world = world;
  }

  /** The operations as one of the users, without evidence from earlier calls. */
  async as(actor: Actor) {
    const session = await this.world.session(actor, this.#observer);
    return { id: session.caller.userId, call: callByName(session) };
  }

  /** Cleans up before and after the plan if its users outlive it: those of a provisioner are disposable. */
  async cleanly(clear: () => Promise<void>): Promise<void> {
    if (this.world.environment.provisionUrl) return;
    await clear();
    this.world.defer(clear);
  }
}
