import { letterViews } from './cut-texts.ts';
import { mayBeQuotedPrintable, unescaped, withLetters } from './escapes.ts';
import type { ManyStrings } from './many-strings.ts';
import type { Needles } from './needles.ts';
import { decompressed, unpacked } from './packed.ts';
import { originalView, type View } from './views.ts';

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

export function holdsSecret(text: string, needles: Needles): boolean {
  // No form of a secret has fewer characters than what it stands for.
  return text.length >= needles.shortest && new Search(text, needles, undefined).run();
}

/** Marks with 1 every character of `text` that is part of a secret in any form. */
export function markSecrets(text: string, needles: Needles): Uint8Array {
  const marks = new Uint8Array(text.length);
  new Search(text, needles, marks).run();
  return marks;
}

/** Reads a text in every way in which it may have been written, and looks for the secrets in each. */
class Search {
  readonly #view: View;
  readonly #needles: Needles;
  readonly #marks: Uint8Array | undefined;
  #workLeft: number;
  #triesLeft: number;
  #found = false;

  constructor(text: string, needles: Needles, marks: Uint8Array | undefined) {
    this.#view = originalView(text);
    this.#needles = needles;
    this.#marks = marks;
    this.#triesLeft = FEWEST_TRIES + text.length / TRY_EACH;
    this.#workLeft = MOST_WORK * text.length + SMALL_TEXT;
  }

  run(): boolean {
    this.#search(this.#view, 0);
    if (this.#workLeft < 0) this.#marks?.fill(1);
    return this.#found || this.#workLeft < 0;
  }

  /** Without marks, the first secret is enough. */
  get #isOver(): boolean {
    return this.#workLeft < 0 || (this.#found && this.#marks === undefined);
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
      this.#read(view, depth, this.#needles.tails);
    }
    return last;
  }

  #read(view: View, depth: number, tails?: ManyStrings): void {
    this.#workLeft -= view.text.length;
    if (this.#isOver || view.text.length < this.#needles.shortest) return;
    this.#find(view, depth, tails);
    if (depth < DEEPEST && !this.#isOver) this.#searchUnpacked(view, depth + 1);
  }

  /** Looks for the secrets as they are, and for their letters and digits. */
  #find(view: View, depth: number, tails: ManyStrings | undefined): void {
    const { plain, base64, skeletons, glance } = this.#needles;
    const mark = (start: number, end: number) => this.#mark(...view.place(start, end));
    const text = this.#folded(view);
    this.#findEach(plain, text, mark);
    if (depth === 0) this.#findEach(base64, text, mark);
    if (tails) this.#findEach(tails, text, (start, end) => this.#markWithHead(view, start, end));
    if (!glance || this.#isOver) return;
    for (const letters of letterViews(view, glance)) {
      this.#workLeft -= view.text.length;
      this.#findEach(skeletons, letters.text.toLowerCase(), (start, end) => this.#mark(...letters.place(start, end)));
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

  #folded({ text }: View): string {
    const letters = withLetters(text.toLowerCase());
    return this.#needles.blanks ? letters.replaceAll('+', ' ') : letters;
  }

  #findEach(needles: ManyStrings, text: string, onFound: (start: number, end: number) => void): void {
    needles.find(text, (start, end) => {
      this.#found = true;
      if (this.#marks) onFound(start, end);
      return this.#marks === undefined;
    });
  }

  #mark(start: number, end: number): void {
    this.#marks?.fill(1, start, end);
  }
}
