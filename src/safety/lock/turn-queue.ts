import { unlessAborted } from '../../http/index.ts';
import type { Release } from './exclusive-lock.ts';

/** A request for a turn. Both functions are called each time a turn may begin, because their results may change during the wait. */
export interface Turn {
  /** Keys that no other turn may have at the same time. */
  readonly keys: () => readonly string[];
  /** The turn with the earliest time comes first. Turns with equal times come in order of arrival. */
  readonly since: () => number;
}

interface Waiting extends Turn {
  readonly begin: (own: readonly string[]) => void;
}

/**
 * Gives turns in the order of `since`. Two turns never have the same key at the same time. While a turn waits for one of its keys, later
 * turns don't get its other keys.
 */
export class TurnQueue {
  readonly #taken = new Set<string>();
  #waiting: readonly Waiting[] = [];

  /** Waits for a turn; returns a function that ends it. @throws the abort error of `signal`, when that is aborted first */
  async enter({ keys, since }: Turn, signal?: AbortSignal): Promise<Release> {
    const { promise: begun, resolve: begin } = Promise.withResolvers<readonly string[]>();
    const one: Waiting = { keys, since, begin };
    this.#waiting = [...this.#waiting, one];
    this.#giveSoon();
    const leave = (own: readonly string[]) => {
      for (const key of own) this.#taken.delete(key);
      this.#giveSoon();
    };
    const own = await unlessAborted(begun, signal).catch((error: unknown) => {
      const isWaiting = this.#waiting.includes(one);
      this.#waiting = this.#waiting.filter((each) => each !== one);
      // If the turn began at the moment of the abort, the turn must end, too.
      if (isWaiting) this.#giveSoon();
      else void begun.then(leave);
      throw error;
    });
    return () => leave(own);
  }

  /**
   * Gives turns a little later (`setImmediate`): a run whose turn has just ended may ask for another turn, and its `since` may be earlier
   * than that of the turns that wait.
   */
  #giveSoon(): void {
    setImmediate(() => {
      const wanted = new Set(this.#taken);
      const inOrder = this.#waiting.toSorted((a, b) => a.since() - b.since());
      const left = inOrder.filter(({ keys, begin }) => {
        const own = keys();
        const mustWait = own.some((key) => wanted.has(key));
        for (const key of own) wanted.add(key);
        if (mustWait) return true;
        for (const key of own) this.#taken.add(key);
        begin(own);
        return false;
      });
      // Filters the old array, so that the order of arrival is kept.
      this.#waiting = this.#waiting.filter((each) => left.includes(each));
    });
  }
}
