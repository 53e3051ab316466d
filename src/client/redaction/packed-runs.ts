import type { DecodedView } from './undo-escapes.ts';
import { ESCAPED_CR, ESCAPED_LF } from './undo-escapes.ts';

/** A stretch of characters that may be base64 or hexadecimal. */
interface Run {
  readonly start: number;
  readonly end: number;
  readonly isHex: boolean;
}

/** Separator between decoded runs: a character of neither a secret nor base64. */
const SEPARATOR = 0x03;

/** Batch size for decoding runs, in bytes: many short runs cost no more than one long one. */
const BATCH = 65_536;

const NEITHER = 64;
const BREAK = 65;

/** The value of a character in base64 or base64url, or `NEITHER`, or `BREAK`: base64 continues after a line break. */
const sextets = new Uint8Array(256).fill(NEITHER);
[...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'].forEach((character, value) => {
  sextets[character.charCodeAt(0)] = value;
});
for (const [character, value] of [
  ['-', 62],
  ['_', 63],
] as const)
  sextets[character.charCodeAt(0)] = value;
for (const code of [0x0a, 0x0d, ESCAPED_LF, ESCAPED_CR]) sextets[code] = BREAK;

/** Index after the last character of a run. */
const END = 66;

/** Printable characters, and those that UTF-16 and line breaks add. */
const canBeInSecret = Uint8Array.from({ length: 256 }, (_, code) =>
  (code >= 0x20 && code <= 0x7e) || [0x00, 0x0a, 0x0d].includes(code) ? 1 : 0,
);

const hexDigits = Uint8Array.from({ length: 256 }, (_, code) => {
  const value = '0123456789abcdef'.indexOf(String.fromCharCode(code).toLowerCase());
  return value === -1 ? NEITHER : value;
});

const [OTHER, BASE64, HEX, LINE_BREAK] = [0, 1, 2, 3];

/** A character's alphabets; hexadecimal is a subset of base64. */
const kinds = sextets.map((sextet, code) => {
  if (sextet === BREAK) return LINE_BREAK;
  return sextet === NEITHER ? OTHER : hexDigits[code] === NEITHER ? BASE64 : HEX;
});

/**
 * The decoded base64, base64url and hexadecimal runs of a text with at least `fewest` bytes, in batches. Text before
 * a value (a slash, a prefix) may look like its beginning, so each run is decoded from each of its first characters.
 */
export function* decodedRuns(source: Uint8Array, fewest: number, withStarts: boolean): Generator<DecodedView> {
  let pending: [run: Run, skip: number][] = [];
  let size = 0;
  for (const run of runsIn(source, fewest)) {
    for (let skip = 0; skip < (run.isHex ? 2 : 4); skip++) {
      pending.push([run, skip]);
      size += run.end - run.start + 1;
      if (size < BATCH) continue;
      yield decoded(source, pending, size, fewest, withStarts);
      pending = [];
      size = 0;
    }
  }
  if (size > 0) yield decoded(source, pending, size, fewest, withStarts);
}

/** The end of the decoded byte that started at `start`: it takes two characters of the alphabet. */
export function endOfDecodedByte(source: Uint8Array, start: number): number {
  let end = start + 1;
  while (end < source.length && (sextets[source[end] as number] as number) >= NEITHER) end++;
  return end + 1;
}

function runsIn(source: Uint8Array, fewest: number): Run[] {
  const runs: Run[] = [];
  const fewestOfBase64 = Math.ceil((fewest * 8) / 6);
  for (let index = 0; index < source.length; index++) {
    let kind = kinds[source[index] as number] as number;
    if (kind === OTHER || kind === LINE_BREAK) continue;
    const start = index;
    let breaks = 0;
    let hexFrom = index;
    for (; kind !== OTHER; kind = kinds[source[++index] ?? 0] as number) {
      if (kind === HEX) continue;
      if (kind === LINE_BREAK) breaks++;
      if (index - hexFrom >= fewest * 2) runs.push({ start: hexFrom, end: index, isHex: true });
      hexFrom = index + 1;
    }
    if (index - hexFrom >= fewest * 2) runs.push({ start: hexFrom, end: index, isHex: true });
    if (index - start - breaks >= fewestOfBase64) runs.push({ start, end: index, isHex: false });
  }
  return runs;
}

/**
 * Decodes runs one after the other, and keeps only stretches that can contain a secret: `fewest` bytes or
 * more, each printable or added by UTF-16 or line breaks. So little is left of an image, an id, or a misaligned run.
 */
function decoded(
  source: Uint8Array,
  runs: readonly (readonly [run: Run, skip: number])[],
  size: number,
  fewest: number,
  withStarts: boolean,
): DecodedView {
  const bytes = Buffer.allocUnsafe(size);
  const starts = withStarts ? new Int32Array(size) : undefined;
  let length = 0;
  let stretch = 0;
  for (const [{ start, end, isHex }, skip] of runs) {
    const table = isHex ? hexDigits : sextets;
    const bitsEach = isHex ? 4 : 6;
    let toSkip = skip;
    let bits = 0;
    let held = 0;
    let previous = start;
    for (let index = start; index <= end; index++) {
      const value = index === end ? END : (table[source[index] as number] as number);
      if (value !== END) {
        if (value >= NEITHER || toSkip-- > 0) continue;
        held = ((held << bitsEach) | value) & 0xffff;
        bits += bitsEach;
        if (bits < 8) {
          previous = index;
          continue;
        }
        bits -= 8;
      }
      const byte = value === END ? SEPARATOR : (held >> bits) & 0xff;
      if (starts) starts[length] = previous;
      if (canBeInSecret[byte]) bytes[length++] = byte;
      else {
        if (length - stretch < fewest) length = stretch;
        else bytes[length++] = SEPARATOR;
        stretch = length;
      }
      previous = index;
    }
  }
  return { bytes: bytes.subarray(0, length), ...(starts ? { starts: starts.subarray(0, length) } : {}) };
}
