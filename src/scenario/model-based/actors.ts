import type { Exchange, Observer } from '../../client/index.ts';
import { callByName } from '../data/call-by-name.ts';
import type { Actor } from '../data/users.ts';
import type { PlanWorld } from './plan-world.ts';

/** The users of one plan, in a separate world. Their calls are not steps in the report: hundreds would be noise. */
export class Actors {
  readonly world: PlanWorld;
  readonly exchanges: Exchange[] = [];
  readonly #observer: Observer = {
    step: (_title, _site, judgement) => judgement(),
    exchanged: (exchange) => void this.exchanges.push(exchange),
  };

  constructor(world: PlanWorld) {
    this.world = world;
  }

  /** Whether the users are disposable: then there is nothing to clean up before or after. */
  get isThrowaway(): boolean {
    return this.world.environment.provisionUrl !== undefined;
  }

  /** The operations as one of the users, without evidence from earlier calls. */
  async as(actor: Actor) {
    const session = await this.world.session(actor, this.#observer);
    return { id: session.caller.userId, call: callByName(session) };
  }

  /** Cleans up before and after the plan if its users outlive it. */
  async cleanly(clear: () => Promise<void>): Promise<void> {
    if (this.isThrowaway) return;
    await clear();
    this.world.defer(clear);
  }
}
