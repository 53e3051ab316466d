import { ManyStrings } from './many-strings.ts';
import { inAnyBytes, inBytes, inText, linesOf, readAgain, readable } from './readings.ts';
import type { Secret } from './secret.ts';
import { TooManyPieces, utf8, type View } from './views.ts';

/** Minimum length of a spelling, or of a part of one. A shorter part would match ordinary text. */
const SHORTEST_PIECE = 8;

/** Maximum nesting: encodings inside each other are decoded this many times. */
const DEEPEST = 2;

/**
 * Limit of the search's work: compared characters for each character of a text. Even a text that keeps every step of the search busy needs
 * only 90. More than the limit is needed only if somebody made the text resemble a secret again and again. Such a text is masked as a
 * whole.
 */
const MOST_WORK = 128;
const SMALL_TEXT = 4_096;

/** Limits of a search, independent of the length of the text. */
export interface Limits {
  /** Maximum number of characters that are compared. */
  readonly characters: number;
  /** Maximum number of pieces that are decoded and searched again, e.g. escapes. */
  readonly pieces: number;
}

/** The spellings of secrets that are looked for. */
export class Needles {
  /** Texts in which a search found no secret. */
  readonly clean = new Set<string>();
  readonly #strings = new ManyStrings();
  #shortest = Number.POSITIVE_INFINITY;

  /** Adds the spellings of a secret. @returns The number of strings that were entered into the search. */
  add(secret: Secret): number {
    const spellings = spellingsOf(secret);
    this.clean.clear();
    for (const { length } of spellings) this.#shortest = Math.min(this.#shortest, length);
    return this.#strings.add(spellings);
  }

  /**
   * Marks with 1 every character of `text` that is part of a secret; `marks` is `undefined` if there is no secret. `work` is the
   * number of compared characters. If the search would take more work than allowed, `isTooMuch` is true, and the whole text is marked.
   */
  search(text: string, limits?: Limits): Found {
    const most = Math.min(MOST_WORK * text.length + SMALL_TEXT, limits?.characters ?? Number.POSITIVE_INFINITY);
    let marks: Uint8Array | undefined;
    let work = 0;
    const mark = (start: number, end: number) => {
      marks ??= new Uint8Array(text.length);
      marks.fill(1, start, end);
    };
    const read = (view: View, depth: number) => {
      // Decoding never makes a text longer, so a text that is shorter than all spellings contains none of them.
      if (view.text.length < this.#shortest || work > most) return;
      const lines = linesOf(view);
      for (const line of lines)
        work += this.#strings.find(folded(line.text), most - work, (start, end) => mark(...line.place(start, end)));
      if (depth === DEEPEST) return;
      const texts = !someInText.test(view.text) ? [] : quotedLines.test(view.text) ? [...lines, view] : lines;
      for (const text of texts) for (const inner of readAgain(text, inText)) read(inner, depth + 1);
      for (const line of lines)
        for (const inner of readAgain(line, depth === 0 ? inAnyBytes : inBytes)) read(inner, depth + 1);
    };
    try {
      if (text.length >= this.#shortest) read(readable(text, limits?.pieces), 0);
    } catch (error) {
      if (!(error instanceof TooManyPieces)) throw error;
      work = Number.POSITIVE_INFINITY;
    }
    const isTooMuch = work > most;
    if (isTooMuch) mark(0, text.length);
    return { marks, work, isTooMuch };
  }
}

interface Found {
  readonly marks: Uint8Array | undefined;
  readonly work: number;
  readonly isTooMuch: boolean;
}

/** Every escape or tag contains one of these characters or pairs of quotes. */
const someInText = /[\\%&=<]|""|''/;
/** In quoted-printable, `=` at the end of a line continues the line. The `=` may be encoded itself, as `=3D` or `&#61;`. */
const quotedLines = /[=;d][\r\n]|=</i;

/** A text for comparisons that ignore case. Form encoding writes a blank as `+`, so the two characters count as equal. */
const folded = (text: string) => text.toLowerCase().replaceAll('+', ' ');

const spellingsBySecret = new WeakMap<Secret, readonly string[]>();

/** The spellings of a secret, from a cache, because each scenario has a new redactor with mostly the same secrets. */
function spellingsOf(secret: Secret): readonly string[] {
  const earlier = spellingsBySecret.get(secret);
  if (earlier) return earlier;
  const value = secret.reveal();
  const read = [value, value.toLowerCase(), value.toUpperCase()].flatMap((each) => [...readings(readable(each), 0)]);
  const bytes = utf8(value);
  // Decoding loses the number of backslashes, so the JSON spelling of a secret is also searched for.
  const packed = [JSON.stringify(value).slice(1, -1), ...base64Pieces(bytes), Buffer.from(value).toString('hex')];
  // After a `=` or `%`, the first two characters of a secret may look like an escape, so its rest is also searched for.
  const tails = read.filter((each) => /^[\da-f]{2}/i.test(each)).map((each) => each.slice(2));
  const pieces = [...read, ...tails, ...packed].filter(({ length }) => length >= SHORTEST_PIECE);
  const spellings = [...new Set([folded(read[0] as string), ...pieces.map(folded)])].filter((each) => each !== '');
  spellingsBySecret.set(secret, spellings);
  return spellings;
}

/** The forms in which the search sees a secret in a text. The search also decodes parts of a secret that look like escapes or tags. */
function* readings(view: View, depth: number): Generator<string> {
  yield linesOf(view)[0].text;
  if (depth < DEEPEST) for (const inner of readAgain(view, inText)) yield* readings(inner, depth + 1);
}

/**
 * The base64 characters that surely appear if a text that contains these bytes is encoded: for each of the three possible offsets, in both
 * alphabets.
 */
function base64Pieces(bytes: string): string[] {
  return [0, 1, 2].flatMap((shift) => {
    const text = Buffer.from('\0'.repeat(shift) + bytes, 'latin1').toString('base64');
    // The first and the last base64 character also contain bits of the bytes next to the secret, so only the characters between them are
    // certain.
    const middle = text.slice(shift === 0 ? 0 : shift + 1, Math.floor(((shift + bytes.length) * 8) / 6));
    return [middle, middle.replaceAll('+', '-').replaceAll('/', '_')];
  });
}
