import { foldedText, type Needles, withLetters } from './needles.ts';
import { decodedRuns, endOfDecodedByte } from './packed-runs.ts';
import { type DecodedView, ESCAPED_CR, ESCAPED_LF, undoEscapes } from './undo-escapes.ts';

/** How deep base64 and hexadecimal are unpacked in one another. Escapes are undone to any depth. */
const DEEPEST = 3;

/**
 * The decoded forms of a text may have this many times its size; only one that was made to have more goes beyond it, and is
 * masked as a whole. So the work is linear in the text, whatever it holds.
 */
const MOST_WORK = 64;
const SMALL_TEXT = 4_096;

/** How often each character of base64 is read: from each of its first four. */
const READINGS = 4;

/** Whether a folded text has anything to undo. */
const ESCAPES = /[\\\0]|%(?:[0-9a-f]{2}|u)|&#?\w{1,10};/;
const QUOTED_PRINTABLE = new RegExp(`=(?:[0-9a-f]{2}|[\r\n${String.fromCharCode(ESCAPED_LF, ESCAPED_CR)}])`);

/** Whether `text` holds a secret, in whatever form. */
export function holdsSecret(text: string, needles: Needles): boolean {
  return new DecodedSearch(text, needles, undefined).run();
}

/** Marks with 1 every character of `text` that a secret stands in, in whatever form. */
export function markSecrets(text: string, needles: Needles): Uint8Array {
  const marks = new Uint8Array(text.length);
  new DecodedSearch(text, needles, marks).run();
  return marks;
}

/** Takes the range of a decoded view to the text that the view was made from, and on. */
type OnFound = (start: number, end: number) => void;

class DecodedSearch {
  readonly #bytes: Buffer;
  readonly #needles: Needles;
  readonly #marks: Uint8Array | undefined;
  #workLeft: number;
  #found = false;

  constructor(text: string, needles: Needles, marks: Uint8Array | undefined) {
    // A character above U+00FF is no part of a secret: whatever is left of it will do.
    this.#bytes = Buffer.from(text, 'latin1');
    this.#needles = needles;
    this.#marks = marks;
    this.#workLeft = MOST_WORK * text.length + SMALL_TEXT;
  }

  run(): boolean {
    this.#search(this.#bytes, 0, (start, end) => this.#marks?.fill(1, start, end));
    if (this.#workLeft < 0) this.#marks?.fill(1);
    return this.#found || this.#workLeft < 0;
  }

  /** Without marks, the first secret is enough. */
  get #isOver(): boolean {
    return this.#workLeft < 0 || (this.#found && this.#marks === undefined);
  }

  #search(bytes: Buffer, depth: number, onFound: OnFound): void {
    let text = this.#find(bytes, depth, onFound);
    let isPacked = false;
    let unescaped = bytes.length;
    if (!this.#isOver && ESCAPES.test(text)) {
      const view = this.#unescaped(bytes, false);
      unescaped = view.bytes.length;
      isPacked = true;
      text = this.#inUnescaped(view, bytes, depth, onFound);
    }
    if (!this.#isOver && QUOTED_PRINTABLE.test(text)) {
      const view = this.#unescaped(bytes, true);
      if (view.bytes.length !== unescaped) this.#inUnescaped(view, bytes, depth, onFound);
    }
    if (!isPacked) this.#unpack(bytes, depth, onFound);
  }

  #unescaped(bytes: Buffer, quotedPrintable: boolean): DecodedView {
    return undoEscapes(bytes, { quotedPrintable, withStarts: this.#marks !== undefined });
  }

  #inUnescaped({ bytes, starts }: DecodedView, source: Buffer, depth: number, onFound: OnFound): string {
    const inSource: OnFound = (start, end) => onFound(starts?.[start] ?? 0, starts?.[end] ?? source.length);
    const text = this.#find(bytes, depth, inSource);
    this.#unpack(bytes, depth, inSource);
    return text;
  }

  #unpack(bytes: Buffer, depth: number, onFound: OnFound): void {
    if (depth === DEEPEST || this.#isOver || bytes.length < this.#needles.shortest) return;
    this.#workLeft -= READINGS * bytes.length;
    for (const { bytes: decoded, starts } of decodedRuns(bytes, this.#needles.shortest, this.#marks !== undefined)) {
      this.#search(decoded, depth + 1, (start, end) => {
        if (starts) onFound(starts[start] as number, endOfDecodedByte(bytes, starts[end - 1] as number));
      });
      if (this.#isOver) return;
    }
  }

  /** Looks for the secrets as they are. @returns The text that it looked in. */
  #find(bytes: Buffer, depth: number, onFound: OnFound): string {
    const { plain, base64, blanks, shortest } = this.#needles;
    this.#workLeft -= bytes.length;
    if (this.#isOver || bytes.length < shortest) return '';
    const text = foldedText(bytes, blanks);
    const letters = withLetters(text);
    const note = (start: number, end: number): boolean => {
      this.#found = true;
      if (!this.#marks) return true;
      onFound(start, end);
      return false;
    };
    plain.find(letters, note);
    if (depth === 0) base64.find(text, note);
    return text;
  }
}
