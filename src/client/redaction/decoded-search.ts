import { compressedRuns, mayBeCompressed } from './compressed-runs.ts';
import { letterViews } from './cut-texts.ts';
import type { ManyStrings } from './many-strings.ts';
import { foldedText, type Needles, ROUNDS, withLetters } from './needles.ts';
import { decodedRuns, endOfDecodedByte } from './packed-runs.ts';
import { ESCAPED_CR, ESCAPED_LF, undoEscapes } from './undo-escapes.ts';

/** Depth to which nested base64 and hexadecimal are decoded. Escapes are undone to any depth. */
const DEEPEST = 3;

/**
 * The decoded forms of a text may have this many times its size; only a malicious text exceeds this, and is
 * masked as a whole. So the work is linear in the text.
 */
const MOST_WORK = 128;
const SMALL_TEXT = 4_096;

/** So often what looks like the beginning of compressed data is tried: in random base64, there is one in 16,000 characters. */
const FEWEST_TRIES = 50;
const TRY_EACH = 500;

/** How often each base64 character is decoded: from each of its first four offsets. */
const READINGS = 4;

/** Whether a folded text contains anything to decode. */
const ESCAPES = /[\\\0]|%(?:[0-9a-f]{2}|u)|&#?\w+;/;
const QUOTED_PRINTABLE = new RegExp(`=(?:[0-9a-f]{2}|[\r\n${String.fromCharCode(ESCAPED_LF, ESCAPED_CR)}])`);

/** Whether `text` contains a secret in any form. */
export function holdsSecret(text: string, needles: Needles): boolean {
  // No form of a secret has fewer characters than what it stands for.
  if (text.length < needles.shortest) return false;
  return new DecodedSearch(text, needles, undefined).run();
}

/** Marks with 1 every character of `text` that is part of a secret in any form. */
export function markSecrets(text: string, needles: Needles): Uint8Array {
  const marks = new Uint8Array(text.length);
  new DecodedSearch(text, needles, marks).run();
  return marks;
}

/** Maps a range of a decoded view back to the text that it was decoded from. */
type OnFound = (start: number, end: number) => void;

class DecodedSearch {
  readonly #bytes: Buffer;
  readonly #needles: Needles;
  readonly #marks: Uint8Array | undefined;
  #workLeft: number;
  #triesLeft: number;
  #found = false;

  constructor(text: string, needles: Needles, marks: Uint8Array | undefined) {
    this.#bytes = bytesOf(text);
    this.#needles = needles;
    this.#marks = marks;
    this.#triesLeft = FEWEST_TRIES + text.length / TRY_EACH;
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
    const text = this.#find(bytes, depth, onFound);
    const hasEscapes = ESCAPES.test(text);
    this.#unpack(bytes, depth, onFound);
    const last = hasEscapes ? this.#searchUnescaped(bytes, false, depth, onFound) : text;
    if (QUOTED_PRINTABLE.test(last)) this.#searchUnescaped(bytes, true, depth, onFound);
  }

  /** Undoes escapes once, twice and so on. @returns The last text that it looked in. */
  #searchUnescaped(source: Buffer, quotedPrintable: boolean, depth: number, onFound: OnFound): string {
    let text = '';
    for (const rounds of ROUNDS) {
      if (this.#isOver) break;
      if (rounds === 0 && !source.includes(0)) continue;
      const { bytes, starts, hasMore } = undoEscapes(source, {
        rounds,
        quotedPrintable,
        withStarts: this.#marks !== undefined,
      });
      const inSource: OnFound = (start, end) => onFound(starts?.[start] ?? 0, starts?.[end] ?? source.length);
      text = this.#find(bytes, depth, inSource);
      const letters = withLetters(text);
      // An apparent escape right before a tail belongs to the secret, except for its first character.
      const withHead: OnFound = (start, end) => {
        const head = (starts?.[start - 1] ?? -1) + 1;
        if (head < (starts?.[start] ?? 0)) onFound(head, starts?.[end] ?? source.length);
      };
      this.#findEach(this.#needles.tails, letters, withHead);
      this.#unpack(bytes, depth, inSource);
      if (rounds > 0 && !hasMore) break;
    }
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
    if (!mayBeCompressed(bytes)) return;
    const spend = (work: number) => {
      this.#workLeft -= work;
      return Math.max(this.#workLeft, 0);
    };
    const mayTry = () => this.#triesLeft-- > 0 || spend(Number.POSITIVE_INFINITY) > 0;
    for (const { data, start, end } of compressedRuns(bytes, mayTry, spend)) {
      this.#search(data, depth + 1, () => onFound(start, end));
      if (this.#isOver) return;
    }
  }

  /** Searches for the plain secrets. @returns The searched text. */
  #find(bytes: Buffer, depth: number, onFound: OnFound): string {
    const { plain, base64, blanks, shortest } = this.#needles;
    this.#workLeft -= bytes.length;
    if (this.#isOver || bytes.length < shortest) return '';
    const text = foldedText(bytes, blanks);
    const letters = withLetters(text);
    this.#findEach(plain, letters, onFound);
    if (depth === 0) this.#findEach(base64, text, onFound);
    this.#findCut(bytes, text, onFound);
    return text;
  }

  /** Searches for what was cut in pieces, or written in a way that is read only by itself. */
  #findCut(bytes: Buffer, text: string, onFound: OnFound): void {
    const { skeletons, glance } = this.#needles;
    const may = this.#isOver ? 0 : (glance?.mayHold(bytes) ?? 0);
    if (!glance || may === 0) return;
    for (const { letters, place } of letterViews(text, may, glance)) {
      this.#workLeft -= bytes.length;
      this.#findEach(skeletons, letters, (start, end) => onFound(...place(start, end)));
    }
  }

  #findEach(needles: ManyStrings, text: string, onFound: OnFound): void {
    needles.find(text, (start, end) => {
      this.#found = true;
      if (this.#marks) onFound(start, end);
      return this.#marks === undefined;
    });
  }
}

const BEYOND_LATIN = /[^\0-\xff]/;

/** Neither a letter nor a part of an encoding. */
const OTHER = 0x03;

/** One byte for each character: a full-width letter as the plain one, and any other above U+00FF as none, for no secret has those. */
function bytesOf(text: string): Buffer {
  const bytes = Buffer.from(text, 'latin1');
  if (BEYOND_LATIN.test(text))
    for (let index = 0; index < text.length; index++) {
      const code = text.charCodeAt(index);
      if (code > 0xff) bytes[index] = code > 0xff00 && code < 0xff5f ? code - 0xfee0 : OTHER;
    }
  return bytes;
}
