import { unlessAborted } from '../../http/index.ts';
import type { Release } from './exclusive-lock.ts';

/** Both functions are called each time that a turn may begin, because their results may change while somebody waits. */
export interface Turn {
  /** Keys that nobody else may have during the turn. */
  readonly keys: () => readonly string[];
  /** The earlier, the sooner the turn; of equals, whoever came first. */
  readonly since: () => number;
}

interface Waiting extends Turn {
  readonly begin: (own: readonly string[]) => void;
}

/** Keys that one has at a time. They go to whoever is first, and nobody overtakes who waits for one of several. */
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
      // Its turn may have begun in the same moment.
      if (isWaiting) this.#giveSoon();
      else void begun.then(leave);
      throw error;
    });
    return () => leave(own);
  }

  /** Later in this turn of the event loop: the run that has just left may want its next turn, and may have begun before those that wait. */
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
      // In the order of arrival.
      this.#waiting = this.#waiting.filter((each) => left.includes(each));
    });
  }
}
