type OnFound = (start: number, end: number) => boolean;

/** As many strings are found faster one by one, for the runtime looks for a single one at several characters a nanosecond. */
const FEW = 32;

/** The bytes of a number: so many characters at the beginning of each string are compared at once, at the most. */
const LONGEST_BEGINNING = 4;

/** 2^16 marks: with hundreds of strings, hardly one position of a hundred has to be looked at closely. */
const MARKS = 0x1_0000;
const markOf = (beginning: number) => Math.imul(beginning, 0x9e37_79b1) >>> 16;

/**
 * Finds many strings of characters up to U+00FF in a text at once: its last characters, as a number, say whether one may begin there. Any
 * number of strings costs one pass, where to look for each by itself would cost as many.
 */
export class ManyStrings {
  readonly #strings = new Set<string>();
  readonly #few: number;
  #shortest = LONGEST_BEGINNING;
  #index: Index | undefined;

  constructor(few = FEW) {
    this.#few = few;
  }

  /** None of the strings may be empty. */
  add(strings: Iterable<string>): void {
    for (const string of strings) {
      if (this.#strings.has(string)) continue;
      this.#strings.add(string);
      if (string.length < this.#shortest) {
        this.#shortest = string.length;
        this.#index = undefined;
      }
      this.#index?.add(string);
    }
  }

  /** Calls `onFound` for each occurrence of each string, until it returns true. */
  find(text: string, onFound: OnFound): void {
    if (this.#strings.size > this.#few) this.#index ??= new Index(this.#strings, this.#shortest);
    if (this.#index) this.#index.find(text, onFound);
    else findEach(this.#strings, text, onFound);
  }
}

/** Strings by their beginnings, all of one length. */
class Index {
  readonly #length: number;
  readonly #byBeginning = new Map<number, string[]>();
  readonly #marks = new Uint8Array(MARKS);

  constructor(strings: Iterable<string>, length: number) {
    this.#length = length;
    for (const string of strings) this.add(string);
  }

  add(string: string): void {
    const beginning = beginningOf(string, this.#length);
    const others = this.#byBeginning.get(beginning);
    if (others) others.push(string);
    else this.#byBeginning.set(beginning, [string]);
    this.#marks[markOf(beginning)] = 1;
  }

  find(text: string, onFound: OnFound): void {
    const { length } = text;
    const marks = this.#marks;
    const rest = this.#length - 1;
    const kept = 2 ** (rest * 8) - 1;
    let beginning = beginningOf(text, this.#length) >> 8;
    for (let end = rest; end < length; end++) {
      beginning = ((beginning & kept) << 8) | text.charCodeAt(end);
      if (marks[markOf(beginning)] === 0) continue;
      const start = end - rest;
      for (const string of this.#byBeginning.get(beginning) ?? [])
        if (text.startsWith(string, start) && onFound(start, start + string.length)) return;
    }
  }
}

function beginningOf(text: string, length: number): number {
  let beginning = 0;
  for (let index = 0; index < length; index++) beginning = (beginning << 8) | text.charCodeAt(index);
  return beginning;
}

function findEach(strings: Iterable<string>, text: string, onFound: OnFound): void {
  for (const string of strings)
    for (let start = text.indexOf(string); start !== -1; start = text.indexOf(string, start + 1))
      if (onFound(start, start + string.length)) return;
}
