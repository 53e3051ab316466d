/**
 * A text as somebody reads it: its bytes in UTF-8, each as a character, and where in the original text each stretch of
 * it is.
 */
export interface View {
  readonly text: string;
  place(start: number, end: number): readonly [start: number, end: number];
}

/** A stretch of a text, and its reading. Base64 may begin and end within a character. */
export interface Piece {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Runs of characters with as many bytes each. */
const notAscii = /[\x80-\u07ff]+|[\u0800-\ud7ff\ue000-\uffff]+|[^\0-\x7f]/gu;

export function originalView(text: string): View {
  return rewritten({ text, place: (start, end) => [start, end] }, notAscii, utf8);
}

/** A text as its bytes. */
export const utf8 = (text: string) => Buffer.from(text).toString('latin1');

/** `source` with each match read; the same view if there is none. */
export function rewritten(source: View, pattern: RegExp, read: (...match: string[]) => string): View {
  const { text } = source;
  // `matchAll` would make another pattern each time.
  pattern.lastIndex = 0;
  let match = pattern.exec(text);
  if (!match) return source;
  const pieces: Piece[] = [];
  let from = 0;
  for (; match; match = pattern.exec(text)) {
    if (from < match.index) pieces.push({ start: from, end: match.index, text: text.slice(from, match.index) });
    from = match.index + match[0].length;
    pieces.push({ start: match.index, end: from, text: read(...match) });
  }
  pieces.push({ start: from, end: text.length, text: text.slice(from) });
  return viewOf(source, pieces);
}

/**
 * Joins `pieces` of `source` into a view. Hardly any text has a secret, so places are only computed for one that has.
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
    place: (start, end) => source.place(placeOf(start)[0], placeOf(end - 1)[1]),
  };
}
