/** The bytes of a number: so many characters at the beginning of each string are compared at once, at the most. */
const LONGEST_BEGINNING = 4;

/** With so many marks for each string at least, few positions of a hundred have to be looked at closely. */
const MARKS_EACH = 32;
const FEWEST_MARKS = 1_024;

/**
 * Finds many strings of characters up to U+00FF in a text at once: its last characters, as a number, say whether one may begin there. Any
 * number of strings costs one pass, where to look for each by itself would cost as many. Where they are of several kinds, each kind is a bit.
 */
export class ManyStrings {
  readonly #kinds = new Map<string, number>();
  /** By their beginnings, all of the length of the shortest. */
  readonly #byBeginning = new Map<number, string[]>();
  /** At the hashes of the beginnings; as many as a power of two. */
  #marks = new Uint8Array(FEWEST_MARKS);
  #length = LONGEST_BEGINNING;
  /** The bytes of as many characters. */
  #mask = -1;

  get size(): number {
    return this.#kinds.size;
  }

  /** None of the strings may be empty. */
  add(strings: Iterable<string>, kind = 1): void {
    for (const string of strings) {
      const known = this.#kinds.get(string);
      this.#kinds.set(string, (known ?? 0) | kind);
      if (known !== undefined) continue;
      if (string.length < this.#length || this.#kinds.size * MARKS_EACH > this.#marks.length)
        this.#enterAll(Math.min(string.length, this.#length), this.#marks.length * 2);
      else this.#enter(string);
    }
  }

  /** Finds those of `wanted`, a sum of kinds; `found` are the kinds of one among them. */
  find(text: string, wanted: number, onFound: (start: number, end: number, found: number) => void): void {
    if (this.#kinds.size === 0) return;
    const { length } = text;
    const marks = this.#marks;
    const last = marks.length - 1;
    const rest = this.#length - 1;
    let beginning = beginningOf(text, this.#length) >> 8;
    for (let end = rest; end < length; end++) {
      beginning = ((beginning << 8) | text.charCodeAt(end)) & this.#mask;
      if (marks[hashOf(beginning) & last] === 0) continue;
      const start = end - rest;
      for (const string of this.#byBeginning.get(beginning) ?? []) {
        const found = (this.#kinds.get(string) ?? 0) & wanted;
        if (found !== 0 && text.startsWith(string, start)) onFound(start, start + string.length, found);
      }
    }
  }

  /** Whether one begins with the last of these characters, of which each is a byte of the number. */
  mayBegin(characters: number): boolean {
    const beginning = characters & this.#mask;
    return this.#marks[hashOf(beginning) & (this.#marks.length - 1)] !== 0 && this.#byBeginning.has(beginning);
  }

  #enterAll(length: number, marks: number): void {
    this.#length = length;
    this.#mask = length === LONGEST_BEGINNING ? -1 : 2 ** (length * 8) - 1;
    this.#marks = new Uint8Array(marks);
    this.#byBeginning.clear();
    for (const string of this.#kinds.keys()) this.#enter(string);
  }

  #enter(string: string): void {
    const beginning = beginningOf(string, this.#length);
    const others = this.#byBeginning.get(beginning);
    if (others) others.push(string);
    else this.#byBeginning.set(beginning, [string]);
    this.#marks[hashOf(beginning) & (this.#marks.length - 1)] = 1;
  }
}

/** The upper bits of a product are the mixed ones. */
const hashOf = (beginning: number) => Math.imul(beginning, 0x9e37_79b1) >>> 8;

function beginningOf(text: string, length: number): number {
  let beginning = 0;
  for (let index = 0; index < length; index++) beginning = (beginning << 8) | text.charCodeAt(index);
  return beginning;
}
