/** Maximum number of characters at the end of a string that are compared at once. A number of 32 bits holds four. */
const LONGEST_ENDING = 4;

/**
 * Number of bits in `#marks`, a power of two. With 7,000 strings (the spellings of a thousand secrets), whole strings are compared at only
 * one position in ten.
 */
const MARKS = 65_536;

/**
 * Finds many strings of characters up to U+00FF in one pass over a text, however many strings there are. At each position, the
 * last few characters, as one number, decide whether a string may end there. Endings are compared because beginnings are often
 * alike: all JWTs of an issuer begin with the same fifty characters.
 */
export class ManyStrings {
  readonly #strings = new Set<string>();
  /** The lengths of all strings with the same ending, by this ending. */
  readonly #lengths = new Map<number, Set<number>>();
  /** One bit for each hash of an ending. Bits take little memory, which matters because every scenario has its own `ManyStrings`. */
  readonly #marks = new Uint8Array(MARKS / 8);
  #ending = LONGEST_ENDING;

  /**
   * Adds strings. No string may be empty. A string that is shorter than the compared endings shortens these endings, so all strings
   * are inserted again. @returns The number of inserted strings.
   */
  add(strings: readonly string[]): number {
    const shortest = Math.min(this.#ending, ...strings.map(({ length }) => length));
    // After the endings were shortened, the marks and lengths of the longer endings remain. They only cause needless comparisons.
    const changed = shortest < this.#ending ? [...this.#strings, ...strings] : strings;
    this.#ending = shortest;
    for (const string of changed) {
      this.#strings.add(string);
      const ending = [...string.slice(-shortest)].reduce((sum, each) => next(sum, each.charCodeAt(0)), 0);
      const lengths = this.#lengths.get(ending);
      if (lengths) lengths.add(string.length);
      else this.#lengths.set(ending, new Set([string.length]));
      const hash = hashOf(ending);
      this.#marks[hash >> 3] = (this.#marks[hash >> 3] as number) | (1 << (hash & 7));
    }
    return changed.length;
  }

  /** Calls `onFound` for each string in a text. @returns The number of compared characters. The search ends when this number exceeds `most`. */
  find(text: string, most: number, onFound: (start: number, end: number) => void): number {
    const marks = this.#marks;
    const mask = this.#ending === LONGEST_ENDING ? -1 : 2 ** (this.#ending * 8) - 1;
    let [work, ending] = [text.length, 0];
    for (let end = 1; end <= text.length && work <= most; end++) {
      ending = next(ending, text.charCodeAt(end - 1)) & mask;
      const hash = hashOf(ending);
      if (((marks[hash >> 3] as number) & (1 << (hash & 7))) === 0) continue;
      for (const length of this.#lengths.get(ending) ?? []) {
        if (length > end) continue;
        work += length;
        if (this.#strings.has(text.slice(end - length, end))) onFound(end - length, end);
      }
    }
    return work;
  }
}

const next = (ending: number, code: number) => (ending << 8) | code;

/** The hash of an ending. It drops the lowest bits of the product, because multiplication mixes them the least. */
const hashOf = (ending: number) => (Math.imul(ending, 0x9e37_79b1) >>> 8) & (MARKS - 1);
