import { type ApiResponse, inside } from '../../call/index.ts';
import { type LoveLook, lookIn, marksOf, NOTHING_SHOWS } from '../../questions/index.ts';
import { type Claim, callSite, Unproven } from '../../verdict/index.ts';
import type { WorldBasis } from '../data/world-basis.ts';
import type { Seen } from '../facts/run-facts.ts';
import { failed, probe } from '../specs/probe.ts';

/** What looks wrong, and may look so because others change the same thing at the same time. */
class LooksWrong extends Error {
  /** What comes of it once it is confirmed: an error, or a fact that no longer holds. */
  readonly #meaning: Error | (() => void);

  constructor(meaning: Error | (() => void)) {
    super('it looks wrong, and no `confirmed(…)` is around it');
    this.#meaning = meaning;
  }

  counts(): void {
    if (this.#meaning instanceof Error) throw this.#meaning;
    this.#meaning();
  }
}

/** Repeats a round that looks wrong. What looks wrong each time counts. */
export function confirmed({ observer }: WorldBasis) {
  return async function confirming(times: number, round: () => Promise<void>): Promise<void> {
    const site = callSite(confirming);
    for (let time = 1; ; time++) {
      try {
        await round();
        return;
      } catch (error) {
        if (!(error instanceof LooksWrong)) throw error;
        if (time === times) return observer.step(`it looks wrong ${times} times`, site, async () => error.counts());
      }
    }
  };
}

/** The question which response shows whether a story is loved. */
const SHOWN = { question: 'love-shown', operation: 'love' } as const;

/**
 * No list shows what a user loves. The answer of `love-shown` names the response that shows whether the caller loves a story.
 * @throws Unproven where it names none.
 */
export function lovesShownBy(world: WorldBasis) {
  const { facts } = world;
  return probe(world, 'what shows whether a story is loved', async (answer: string | undefined) => {
    const look = lookIn(answer);
    if (!look) {
      const command = facts.surveyCommand(SHOWN.question, SHOWN.operation);
      throw new Unproven(
        `no response to love story or unlove story is known to show whether it was done; \`${command}\` finds it out`,
      );
    }
    const { by, does } = look;
    const told = { ...look, ...SHOWN, answer: answer ?? '' };
    const call = await world.call(by);
    const deferred = new Set<string>();
    /** Looks now. A love of the friend's is undone again; `before` is the same look, where a further one would be an undo. */
    const sees = async ({ id: storyId }: { readonly id: string }, before?: Sight): Promise<Sight> => {
      if (before && by === 'caller' && does === 'unlove') return before;
      if (by === 'friend' && !deferred.has(storyId)) world.defer(() => call('unlove', { storyId }).settles());
      deferred.add(storyId);
      const response = await call(does, { storyId }).isDecided();
      if (by === 'friend' && !response.isRefusal) await call('unlove', { storyId }).settles();
      return new Sight(world, told, response);
    };
    return {
      sees,
      /** @throws Unproven, or Prevented by a fact, where a change that the look is about is refused. */
      needs: probe(
        world,
        (_, what) => `${what} is accepted`,
        async (change: Promise<ApiResponse>, what: string) => {
          if ((await change).isRefusal) throw unjudged(world, `${what} is refused`);
        },
      ),
    };
  });
}

const unjudged = ({ facts }: WorldBasis, why: string) => facts.unjudged(SHOWN.question, SHOWN.operation, why);

/** What a response showed of a love. */
export class Sight {
  readonly #world: WorldBasis;
  readonly #told: LoveLook & Seen;
  readonly #response: ApiResponse;
  readonly #mark: string | undefined;

  constructor(world: WorldBasis, told: LoveLook & Seen, response: ApiResponse) {
    this.#world = world;
    this.#told = told;
    this.#response = response;
    this.#mark = marksOf(inside(response).exchange, response.isRefusal).get(told.place);
  }

  /** A love shows: it looks otherwise than none. If it doesn't, the fact no longer holds. */
  isUnlike(unloved: Sight): void {
    const hold = (answer: string) => this.#world.facts.holds(this.#response, { ...this.#told, answer });
    if (this.#mark === unloved.#mark) throw new LooksWrong(() => hold(NOTHING_SHOWS));
    hold(this.#told.answer);
  }

  /** The love that was `seen` is still there: it doesn't look as if there were none. */
  isStill(seen: Sight, unloved: Sight, claim: Claim): void {
    if (this.#mark !== unloved.#mark) return;
    const { by, does, place } = this.#told;
    const observed = `${place} is ${this.#mark}, as after its own undo, not ${seen.#mark}`;
    const view = by === 'friend' ? "The friend's view" : `The response to ${does}`;
    const error = failed(this.#response, claim, observed, `${view} no longer shows the love`);
    throw new LooksWrong(error.at(callSite(this.isStill)));
  }

  /** Between the two, nothing was changed. */
  isLike(other: Sight): void {
    if (this.#mark === other.#mark) return;
    throw new LooksWrong(unjudged(this.#world, 'its responses differ each time, so they show nothing'));
  }
}
