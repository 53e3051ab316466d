import { mayBeQuotedPrintable, unescaped, withLetters } from './escapes.ts';
import { folded, kinds, type Needles } from './needles.ts';
import { decompressed, unpacked } from './packed.ts';
import { letterViews, originalView, type View } from './views.ts';

/** Depth to which nested base64, hexadecimal and compressed data are read. */
const DEEPEST = 3;

/**
 * The readings of a text may have this many times its size; only a malicious text has more, and is masked as a whole. So the work is linear
 * in the text, and escapes may be nested to any depth.
 */
const MOST_WORK = 128;
const SMALL_TEXT = 4_096;

/** So often what looks like the beginning of compressed data is tried: in random base64, there is one in 16,000 characters. */
const FEWEST_TRIES = 50;
const TRY_EACH = 500;

/** How often each character of base64 is read: from each of its first four. */
const READINGS = 4;

/** Clean texts that are kept in mind, and their length. */
const MOST_KEPT = 1_000;
const LONGEST_KEPT = 200;

/** Marks with 1 every character of `text` that is part of a secret in any form; `undefined` where none is. */
export function markedSecrets(text: string, needles: Needles): Uint8Array | undefined {
  const { shortest, clean } = needles;
  // No form of a secret has fewer characters than what it stands for.
  if (text.length < shortest || clean.has(text)) return undefined;
  const marks = new Search(text, needles).run();
  if (!marks && text.length <= LONGEST_KEPT) {
    if (clean.size === MOST_KEPT) clean.clear();
    clean.add(text);
  }
  return marks;
}

/** Reads a text in every way in which it may have been written, and looks for the secrets in each. */
class Search {
  readonly #view: View;
  readonly #needles: Needles;
  #marks: Uint8Array | undefined;
  #workLeft: number;
  #triesLeft: number;

  constructor(text: string, needles: Needles) {
    this.#view = originalView(text);
    this.#needles = needles;
    this.#triesLeft = FEWEST_TRIES + text.length / TRY_EACH;
    this.#workLeft = MOST_WORK * text.length + SMALL_TEXT;
  }

  run(): Uint8Array | undefined {
    this.#search(this.#view, 0);
    if (this.#isOver) this.#mark(0, this.#view.text.length);
    return this.#marks;
  }

  get #isOver(): boolean {
    return this.#workLeft < 0;
  }

  #search(view: View, depth: number): void {
    if (view.text === '') return;
    this.#read(view, depth);
    const last = this.#searchUnescaped(view, 'plain', depth);
    if (mayBeQuotedPrintable(last.text)) this.#searchUnescaped(view, 'quotedPrintable', depth);
  }

  #searchUnescaped(source: View, kind: 'plain' | 'quotedPrintable', depth: number): View {
    let last = source;
    for (const view of unescaped(source, kind)) {
      if (this.#isOver) break;
      last = view;
      this.#read(view, depth, kinds.tails);
    }
    return last;
  }

  #read(view: View, depth: number, tails = 0): void {
    this.#workLeft -= view.text.length;
    if (this.#isOver || view.text.length < this.#needles.shortest) return;
    this.#find(view, depth, tails);
    if (depth < DEEPEST && !this.#isOver) this.#searchUnpacked(view, depth + 1);
  }

  #find(view: View, depth: number, tails: number): void {
    const { terms, skeletons, shortest } = this.#needles;
    const mark = (at: View) => (start: number, end: number) => this.#mark(...at.place(start, end));
    const wanted = kinds.plain | tails | (depth === 0 ? kinds.base64 : 0);
    terms.find(folded(withLetters(view.text.toLowerCase())), wanted, (start, end, found) => {
      if (found & kinds.tails) this.#markWithHead(view, start, end);
      if (found !== kinds.tails) mark(view)(start, end);
    });
    if (skeletons.size === 0 || this.#isOver) return;
    // The first character may be written in another way.
    for (const letters of letterViews(view, { skeletons, digits: 2 * (shortest - 1) })) {
      this.#workLeft -= view.text.length;
      skeletons.find(letters.text.toLowerCase(), 1, mark(letters));
    }
  }

  /** What looks like an escape right before the tail of a secret belongs to it, except for its first character. */
  #markWithHead(view: View, start: number, end: number): void {
    if (start === 0) return;
    const [head, until] = view.place(start - 1, end);
    if (head + 1 < view.place(start, end)[0]) this.#mark(head + 1, until);
  }

  #searchUnpacked(view: View, depth: number): void {
    this.#workLeft -= READINGS * view.text.length;
    for (const inner of unpacked(view, this.#needles.shortest)) {
      this.#search(inner, depth);
      if (this.#isOver) return;
    }
    const spend = (work: number) => {
      this.#workLeft -= work;
      return Math.max(this.#workLeft, 0);
    };
    const mayTry = () => this.#triesLeft-- > 0 || spend(Number.POSITIVE_INFINITY) > 0;
    for (const inner of decompressed(view, { mayTry, spend })) {
      this.#search(inner, depth);
      if (this.#isOver) return;
    }
  }

  #mark(start: number, end: number): void {
    this.#marks ??= new Uint8Array(this.#view.text.length);
    this.#marks.fill(1, start, end);
  }
}
