import { areaClient, type Exchange, type Observer } from '../../client/index.ts';
import type { Actor } from '../users.ts';
import type { PlanWorld } from './plan-world.ts';

/** The users of one plan, in a world of their own. Their calls are no steps of a report: hundreds would say nothing. */
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

  /** Nobody else ever was these users, and nobody will be: there is nothing to clean up before or after. */
  get isThrowaway(): boolean {
    return this.world.environment.provisionUrl !== undefined;
  }

  /** The areas as one of the users. A new sign-in has seen nothing yet. */
  async as(actor: Actor) {
    const session = await this.world.session(actor, this.#observer);
    return {
      id: session.caller.userId,
      friends: areaClient(session, 'friends'),
      stories: areaClient(session, 'stories'),
      profile: areaClient(session, 'profile'),
      storage: areaClient(session, 'storage'),
    };
  }

  /** Makes a clean start, and a clean end, of users that outlive the plan. */
  async cleanly(clear: () => Promise<void>): Promise<void> {
    if (this.isThrowaway) return;
    await clear();
    this.world.defer(clear);
  }
}
