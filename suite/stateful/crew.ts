import { areaClient, type Exchange, type Observer } from '../../client/index.ts';
import type { Actor, World } from '../world.ts';

/** The users of a walk. Their calls are no steps of a report: hundreds of them would say nothing. */
export class Crew {
  readonly #world: World;
  #sent = 0;
  #exchanges: Exchange[] = [];
  readonly #observer: Observer = {
    step: (_title, _site, judgement) => judgement(),
    exchanged: (exchange) => {
      this.#sent++;
      this.#exchanges.push(exchange);
    },
  };

  constructor(world: World) {
    this.#world = world;
  }

  /** The areas as one of the users. A new sign-in has seen nothing yet. */
  async as(actor: Actor) {
    const session = await this.#world.session(actor, this.#observer);
    return {
      id: session.caller.userId,
      friends: areaClient(session, 'friends'),
      stories: areaClient(session, 'stories'),
      profile: areaClient(session, 'profile'),
      storage: areaClient(session, 'storage'),
    };
  }

  /** How many requests were sent in all. */
  get sent(): number {
    return this.#sent;
  }

  /** The exchanges since this was last asked. */
  takeExchanges(): Exchange[] {
    const taken = this.#exchanges;
    this.#exchanges = [];
    return taken;
  }
}
