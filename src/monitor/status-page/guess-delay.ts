import { setTimeout as wait } from 'node:timers/promises';

/** A slip of the hand costs next to nothing, a hundred of them much. */
const FIRST_MS = 250;
const LONGEST_MS = 10_000;
/** A wrong token is forgotten after this long. */
const REMEMBERED_MS = 60_000;
/** Answers that wait at once; more would keep connections from those who have the token. */
const MOST_WAITING = 100;

/** How long the answer to a wrong token waits, after so many in the last minute, this one included; in ms. */
export function delayAfter(wrong: number): number {
  return Math.min(LONGEST_MS, FIRST_MS * 2 ** (wrong - 1));
}

/** Delays responses to wrong tokens from any client. The right token never waits, so nobody can lock it out. */
export class GuessDelay {
  readonly #now: () => number;
  readonly #ending = new AbortController();
  #wrongAt: number[] = [];
  #waiting = 0;

  /** `now` is a monotonic clock, in ms. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** To be awaited before a wrong token is answered; false when too many wait already. */
  async hold(): Promise<boolean> {
    const now = this.#now();
    this.#wrongAt = [...this.#wrongAt.filter((at) => now - at < REMEMBERED_MS), now].slice(-MOST_WAITING);
    if (this.#waiting >= MOST_WAITING) return false;
    this.#waiting++;
    try {
      await wait(delayAfter(this.#wrongAt.length), undefined, { ref: false, signal: this.#ending.signal });
    } catch {
      // The page is being closed.
    } finally {
      this.#waiting--;
    }
    return true;
  }

  end(): void {
    this.#ending.abort();
  }
}
