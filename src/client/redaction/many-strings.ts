/** As many characters at the beginning of each string are hashed, at the most. */
const LONGEST_WINDOW = 8;

/** 2^16 marks: with hundreds of strings, hardly one position of a hundred has to be looked at closely. */
const MARKS = 0x1_0000;

type OnFound = (start: number, end: number) => boolean;

/** As many strings are found faster one by one, for the runtime looks for a single one at several characters a nanosecond. */
const FEW = 32;

/**
 * Finds many strings in a text at once: a rolling hash says where one may begin. Any number of them costs one pass, where to look for
 * each by itself would cost as many.
 */
export class ManyStrings {
  readonly #strings: readonly string[];
  readonly #index: Index | undefined;

  /** None of the strings may be empty. */
  constructor(strings: readonly string[], few = FEW) {
    this.#strings = strings;
    this.#index = strings.length > few ? new Index(strings) : undefined;
  }

  /** Calls `onFound` for each occurrence of each string, until it returns true. */
  find(text: string, onFound: OnFound): void {
    if (this.#index) this.#index.find(text, onFound);
    else findEach(this.#strings, text, onFound);
  }
}

class Index {
  readonly #byHash = new Map<number, string[]>();
  readonly #marks = new Uint8Array(MARKS);
  readonly #window: number;
  /** The contribution of the character that leaves the window to its hash. */
  readonly #leaving: number;

  constructor(strings: readonly string[]) {
    this.#window = Math.min(LONGEST_WINDOW, ...strings.map(({ length }) => length));
    this.#leaving = power(this.#window - 1);
    for (const string of strings) {
      const hash = hashOf(string, this.#window);
      this.#marks[hash & (MARKS - 1)] = 1;
      const alike = this.#byHash.get(hash);
      if (alike) alike.push(string);
      else this.#byHash.set(hash, [string]);
    }
  }

  find(text: string, onFound: OnFound): void {
    const window = this.#window;
    if (text.length < window) return;
    const marks = this.#marks;
    const leaving = this.#leaving;
    let hash = hashOf(text, window);
    for (let start = 0; ; start++) {
      if (marks[hash & (MARKS - 1)] === 1 && this.#lookCloser(text, start, hash, onFound)) return;
      const next = start + window;
      if (next === text.length) return;
      hash = (Math.imul(hash - Math.imul(text.charCodeAt(start), leaving), BASE) + text.charCodeAt(next)) | 0;
    }
  }

  #lookCloser(text: string, start: number, hash: number, onFound: OnFound): boolean {
    for (const string of this.#byHash.get(hash) ?? [])
      if (text.startsWith(string, start) && onFound(start, start + string.length)) return true;
    return false;
  }
}

function findEach(strings: readonly string[], text: string, onFound: OnFound): void {
  for (const string of strings)
    for (let start = text.indexOf(string); start !== -1; start = text.indexOf(string, start + 1))
      if (onFound(start, start + string.length)) return;
}

/** Odd and large, so that neighbouring characters end far apart. */
const BASE = 0x0100_0193;

function hashOf(text: string, length: number): number {
  let hash = 0;
  for (let index = 0; index < length; index++) hash = (Math.imul(hash, BASE) + text.charCodeAt(index)) | 0;
  return hash;
}

function power(exponent: number): number {
  let result = 1;
  for (let index = 0; index < exponent; index++) result = Math.imul(result, BASE);
  return result;
}
