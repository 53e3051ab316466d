type OnFound = (start: number, end: number) => boolean;

/** As many strings are found faster one by one: a pattern for all takes longer to make than it saves. */
const FEW = 32;

/** Finds many strings in a text: nearly every text has none of them, which one pass for all shows. */
export class ManyStrings {
  readonly #strings: readonly string[];
  readonly #any: RegExp | undefined;

  /** None of the strings may be empty. */
  constructor(strings: readonly string[], few = FEW) {
    this.#strings = strings;
    if (strings.length > few) this.#any = new RegExp(strings.map(literally).join('|'));
  }

  /** Calls `onFound` for each occurrence of each string, until it returns true. */
  find(text: string, onFound: OnFound): void {
    if (this.#any?.test(text) === false) return;
    for (const string of this.#strings)
      for (let start = text.indexOf(string); start !== -1; start = text.indexOf(string, start + 1))
        if (onFound(start, start + string.length)) return;
  }
}

function literally(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
