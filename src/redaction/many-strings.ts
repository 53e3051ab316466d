/** The bytes of a number: at most so many characters at the end of each string are compared at once. */
const LONGEST_ENDING = 4;

/**
 * A power of two. With 7,000 strings, the spellings of a thousand secrets, one position in ten needs a closer comparison
 * closely.
 */
const MARKS = 65_536;

/**
 * Finds many strings of characters up to U+00FF in a text at once: its last characters, as a number, say whether one
 * may end there. Any number of strings costs one pass. Tokens are alike in their beginnings (each JWT of an issuer has
 * the same fifty characters), and differ in their ends.
 */
export class ManyStrings {
  readonly #strings = new Set<string>();
  /** The lengths of the strings with the same ending. */
  readonly #lengths = new Map<number, Set<number>>();
  /** A bit for each hash of an ending: every scenario has its own. */
  readonly #marks = new Uint8Array(MARKS / 8);
  #ending = LONGEST_ENDING;

  /** None of the strings may be empty. @returns How many were entered. */
  add(strings: readonly string[]): number {
    const shortest = Math.min(this.#ending, ...strings.map(({ length }) => length));
    // Marks and lengths of longer endings may stay: they only make a position look likely.
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

  /** @returns The number of compared characters; the search ends when it exceeds `most`. */
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

/** The upper bits of a product are the mixed ones. */
const hashOf = (ending: number) => (Math.imul(ending, 0x9e37_79b1) >>> 8) & (MARKS - 1);
