import {
  BACKSLASH,
  beginsEscape,
  CLOSES,
  EQUALS,
  endsEscape,
  escapeAtEnd,
  LONGEST_ESCAPE,
  NONE,
  shortened,
} from './escape-at-end.ts';

/** A text as bytes, one per character up to U+00FF, with the start of each in the original text. */
export interface DecodedView {
  readonly bytes: Buffer;
  /** Absent if only the bytes were requested. */
  readonly starts?: Int32Array;
}

export interface UnescapedView extends DecodedView {
  /** Escapes are left that lie deeper than was asked for. */
  readonly hasMore: boolean;
}

export interface EscapeOptions {
  /** How often an escape within an escape is undone: 1 is what a reader with one encoding does. */
  readonly rounds: number;
  /** Decodes quoted-printable too (`=2B`, a line that ends in `=`); not by default, because `a=12` looks the same. */
  readonly quotedPrintable?: boolean;
  readonly withStarts?: boolean;
}

/** Stands for an escaped line break (`\n`, `\r`) in a view: base64 continues after it. */
export const ESCAPED_LF = 0x01;
export const ESCAPED_CR = 0x02;

const [LOWER_N, LOWER_R] = [0x6e, 0x72];
const [LF, CR] = [0x0a, 0x0d];

/**
 * Undoes the escapes of a text: `%2B`, `%u002B`, `\u002B`, `\x2B`, `\053`, `\u{2B}`, `\x{2B}`, `\"`, `&#43;`, `&#x2B;`, `&plus;` and, if
 * requested, `=2B`; drops NULs, of which UTF-16 and UTF-32 are full. All rounds are one pass, in which a decoded character is
 * combined with the text before it, so `%255Cu002B` becomes `+` after three. Each step removes characters: the work is
 * linear in the text, for any number of rounds.
 */
export function undoEscapes(source: Uint8Array, options: EscapeOptions): UnescapedView {
  const { rounds, quotedPrintable = false, withStarts = false } = options;
  const bytes = Buffer.allocUnsafe(source.length);
  const starts = withStarts ? new Int32Array(source.length) : undefined;
  // Nesting depth of the escapes that a byte came from.
  const levels = new Uint8Array(source.length);
  let length = 0;
  let escapesFrom = Number.NEGATIVE_INFINITY;
  let hasBackslash = false;
  let hasMore = false;
  for (let index = 0; index < source.length; index++) {
    let start = index;
    let level = 0;
    let code = source[index] as number;
    while (code !== 0) {
      bytes[length] = code;
      levels[length] = level;
      if (starts) starts[length] = start;
      length++;
      if (code === BACKSLASH) hasBackslash = true;
      if (beginsEscape[code]) escapesFrom = length;
      // Most characters are far from any escape.
      const ends = endsEscape[code];
      if (!ends || (ends !== CLOSES && length - escapesFrom > LONGEST_ESCAPE)) break;
      const ending = escapeAtEnd(bytes, length, quotedPrintable);
      if (ending === NONE) break;
      level = highest(levels, length - (ending >> 8), length);
      if (level >= rounds) {
        hasMore = true;
        break;
      }
      length -= ending >> 8;
      code = ending & 0xff;
      if (bytes[length] === BACKSLASH) {
        const first = firstAlike(bytes, levels, length);
        const left = backslashesLeft(length - first + 1);
        length = first + left;
        levels.fill(Math.min(level + 1, DEEPEST), first, length);
      }
      level = Math.min(level + 1, DEEPEST);
      const shorter = levels[length - 1] === level ? shortened(bytes[length - 1], code) : undefined;
      if (shorter !== undefined) {
        length--;
        code = shorter;
      }
      // It may be part of an escape that started earlier.
      escapesFrom = length;
      if (starts) start = starts[length] as number;
    }
    if (quotedPrintable && (code === LF || (code | 0x20) === LOWER_N)) length = softBreakStart(bytes, length) ?? length;
  }
  const view = { bytes: bytes.subarray(0, length), ...(starts ? { starts: starts.subarray(0, length) } : {}) };
  return { ...(hasBackslash ? withoutBackslashes(view) : view), hasMore };
}

/** Escapes in one another are counted up to here. */
const DEEPEST = 255;

function highest(levels: Uint8Array, from: number, until: number): number {
  let level = 0;
  for (let index = from; index < until; index++) level = Math.max(level, levels[index] as number);
  return level;
}

/** The first of the backslashes up to `last` with the same escape depth. */
function firstAlike(bytes: Uint8Array, levels: Uint8Array, last: number): number {
  let first = last;
  while (bytes[first - 1] === BACKSLASH && levels[first - 1] === levels[last]) first--;
  return first;
}

/**
 * How many of the backslashes before `u002B` are literal. Of an odd number, all but the last, in pairs; an even number
 * was doubled when the escape itself was put into a string.
 */
function backslashesLeft(count: number): number {
  return count % 2 === 1 ? (count - 1) / 2 : backslashesLeft(count / 2);
}

/** The start of a quoted-printable soft line break (`=`, then CR LF, escaped or not) that ends at `length`, if any. */
function softBreakStart(bytes: Uint8Array, length: number): number | undefined {
  let start = beforeBreak(bytes, length, LF, LOWER_N);
  if (start === length) return undefined;
  start = beforeBreak(bytes, start, CR, LOWER_R);
  return bytes[start - 1] === EQUALS ? start - 1 : undefined;
}

/** The start of the character that ends at `end` if it is a line break or a letter for one; otherwise `end`. */
function beforeBreak(bytes: Uint8Array, end: number, lineBreak: number, letter: number): number {
  if (bytes[end - 1] === lineBreak) return end - 1;
  if (((bytes[end - 1] as number) | 0x20) !== letter || bytes[end - 2] !== BACKSLASH) return end;
  let start = end - 2;
  while (bytes[start - 1] === BACKSLASH && end - start < LONGEST_ESCAPE) start--;
  return start;
}

const escapedBreaks: Readonly<Record<number, number>> = { [LOWER_N]: ESCAPED_LF, [LOWER_R]: ESCAPED_CR };

/** Removes backslashes that escape a single character. */
function withoutBackslashes({ bytes, starts }: DecodedView): DecodedView {
  let length = 0;
  let skippedFrom = -1;
  for (let index = 0; index < bytes.length; index++) {
    const code = bytes[index] as number;
    if (code === BACKSLASH) {
      if (skippedFrom === -1) skippedFrom = index;
      continue;
    }
    const isEscaped = skippedFrom !== -1;
    if (starts) starts[length] = starts[isEscaped ? skippedFrom : index] as number;
    bytes[length++] = isEscaped ? (escapedBreaks[code | 0x20] ?? code) : code;
    skippedFrom = -1;
  }
  return { bytes: bytes.subarray(0, length), ...(starts ? { starts: starts.subarray(0, length) } : {}) };
}
