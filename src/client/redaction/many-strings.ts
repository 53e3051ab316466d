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
  readonly #strings: readonly string[];
  readonly #length: number;
  readonly #byBeginning: ReadonlyMap<number, readonly string[]> | undefined;
  readonly #marks: Uint8Array = new Uint8Array();

  /** None of the strings may be empty. */
  constructor(strings: readonly string[], few = FEW) {
    this.#strings = strings;
    this.#length = Math.min(LONGEST_BEGINNING, ...strings.map(({ length }) => length));
    if (strings.length <= few) return;
    this.#marks = new Uint8Array(MARKS);
    this.#byBeginning = Map.groupBy(strings, (string) => beginningOf(string, this.#length));
    for (const beginning of this.#byBeginning.keys()) this.#marks[markOf(beginning)] = 1;
  }

  /** Calls `onFound` for each occurrence of each string, until it returns true. */
  find(text: string, onFound: OnFound): void {
    if (this.#byBeginning) this.#findAll(this.#byBeginning, text, onFound);
    else findEach(this.#strings, text, onFound);
  }

  #findAll(byBeginning: ReadonlyMap<number, readonly string[]>, text: string, onFound: OnFound): void {
    const { length } = text;
    const marks = this.#marks;
    const rest = this.#length - 1;
    const kept = 2 ** (rest * 8) - 1;
    let beginning = beginningOf(text, this.#length) >> 8;
    for (let end = rest; end < length; end++) {
      beginning = ((beginning & kept) << 8) | text.charCodeAt(end);
      if (marks[markOf(beginning)] === 0) continue;
      const start = end - rest;
      for (const string of byBeginning.get(beginning) ?? [])
        if (text.startsWith(string, start) && onFound(start, start + string.length)) return;
    }
  }
}

function beginningOf(text: string, length: number): number {
  let beginning = 0;
  for (let index = 0; index < length; index++) beginning = (beginning << 8) | text.charCodeAt(index);
  return beginning;
}

function findEach(strings: readonly string[], text: string, onFound: OnFound): void {
  for (const string of strings)
    for (let start = text.indexOf(string); start !== -1; start = text.indexOf(string, start + 1))
      if (onFound(start, start + string.length)) return;
}
