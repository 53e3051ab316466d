/**
 * One way to read a text, for instance with its escapes decoded. `text` has the UTF-8 bytes, each as one character. `place` returns the
 * position of a stretch of `text` in the original text.
 */
export interface View {
  readonly text: string;
  /** The number of pieces decoded so far, and its limit. All views of one text share this object. */
  readonly made: Made;
  place(start: number, end: number): readonly [start: number, end: number];
}

/**
 * `pieces` is the number of decoded pieces so far, and `most` is its limit: each piece takes as much time and memory as a hundred
 * characters of text.
 */
interface Made {
  pieces: number;
  readonly most: number;
}

/** A text has more decoded pieces than `Made` allows, by chance or because somebody made it so. */
export class TooManyPieces extends Error {}

/**
 * A stretch of a text, and the text that replaces it. In base64, a stretch may begin and end within a character, so `start` and `end` may
 * be fractions.
 */
export interface Piece {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * Runs of non-ASCII characters. All characters of a run have the same number of bytes in UTF-8. Surrogates are written out, because the flag `u`
 * would make the search through ASCII text three times slower.
 */
const notAscii = /[\x80-\u07ff]+|[\u0800-\ud7ff\ue000-\uffff]+|[\ud800-\udbff][\udc00-\udfff]|[\ud800-\udfff]/g;

export function originalView(text: string, mostPieces: number): View {
  const made = { pieces: 0, most: mostPieces };
  return rewritten({ text, made, place: (start, end) => [start, end] }, notAscii, utf8);
}

/** The UTF-8 bytes of a text, each as a character. */
export const utf8 = (text: string) => Buffer.from(text).toString('latin1');

/**
 * Replaces each match in `source` by the result of `read`. With `runs`, only matches inside a match of `runs` are replaced. Returns
 * `source` itself if nothing matches.
 */
export function rewritten(source: View, pattern: RegExp, read: (...match: string[]) => string, runs?: RegExp): View {
  const { text, made } = source;
  const pieces: Piece[] = [];
  let from = 0;
  const readIn = (part: string, at: number) => {
    // `matchAll` would copy the pattern each time.
    pattern.lastIndex = 0;
    for (let match = pattern.exec(part); match; match = pattern.exec(part)) {
      const start = at + match.index;
      if (from < start) pieces.push({ start: from, end: start, text: text.slice(from, start) });
      from = start + match[0].length;
      const decoded = read(...match);
      // A piece without text has no place in the view.
      if (decoded !== '') pieces.push({ start, end: from, text: decoded });
      if (++made.pieces > made.most) throw new TooManyPieces();
    }
  };
  if (runs) for (const { 0: run, index } of text.matchAll(runs)) readIn(run, index);
  else readIn(text, 0);
  // No pattern matches an empty text.
  if (from === 0) return source;
  pieces.push({ start: from, end: text.length, text: text.slice(from) });
  return viewOf(source, pieces);
}

/**
 * Joins `pieces` of `source` into a view. Places are computed only on demand, because hardly any text has a secret.
 */
export function viewOf(source: View, pieces: readonly Piece[]): View {
  let begins: number[] | undefined;
  const placeOf = (index: number): [start: number, end: number] => {
    let length = 0;
    begins ??= pieces.map(({ text }) => {
      length += text.length;
      return length - text.length;
    });
    let [first, last] = [0, pieces.length - 1];
    while (first < last) {
      const middle = (first + last + 1) >> 1;
      if ((begins[middle] as number) <= index) first = middle;
      else last = middle - 1;
    }
    const { start, end, text } = pieces[first] as Piece;
    const width = (end - start) / text.length;
    const at = start + (index - (begins[first] as number)) * width;
    return [Math.floor(at), Math.min(Math.ceil(at + width), Math.ceil(end))];
  };
  return {
    text: pieces.map(({ text }) => text).join(''),
    made: source.made,
    place: (start, end) => source.place(placeOf(start)[0], placeOf(end - 1)[1]),
  };
}
