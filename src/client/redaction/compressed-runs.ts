import { constants, inflateRawSync, inflateSync, zstdDecompressSync } from 'node:zlib';
import { ESCAPED_CR, ESCAPED_LF } from './undo-escapes.ts';

/** The beginnings of gzip, Zstandard and zlib in base64 and in hexadecimal. */
const BEGINS =
  /H4sI|KLUv[/_]|e(?:J[w-z]|A[E-H]|F[4-7]|N[o-r])|1[fF]8[bB]08|28[bB]52[fF][fF][dD]|78(?:01|5[eE]|9[cC]|[dD][aA])/;
/** Both go on behind a line break, escaped or not. */
const BREAKS = `\r\n${String.fromCharCode(ESCAPED_LF, ESCAPED_CR)}`;
const BASE64 = new RegExp(`[\\w+/${BREAKS}-]+`, 'y');
const HEXADECIMAL = new RegExp(`[\\da-fA-F${BREAKS}]+`, 'y');

/** So many characters are tried first: hardly anything else than compressed data can be read for as long. */
const TRIED = 96;

export const mayBeCompressed = (source: Buffer) => BEGINS.test(source.toString('latin1'));

/** Data that was compressed and then packed; `spend` takes work into account, and says how much of it is left. Trying is slow, however short the data. */
export function* compressedRuns(
  source: Buffer,
  mayTry: () => boolean,
  spend: (work: number) => number,
): Generator<{ readonly data: Buffer; readonly start: number; readonly end: number }> {
  const text = source.toString('latin1');
  for (const { index } of text.matchAll(new RegExp(BEGINS, 'g'))) {
    if (!mayTry()) return;
    const isHex = /\d/.test(text.charAt(index));
    const alphabet = isHex ? HEXADECIMAL : BASE64;
    alphabet.lastIndex = index;
    const [run = ''] = alphabet.exec(text.slice(0, index + TRIED)) ?? [];
    if (inflated(run, isHex, TRIED * 1_100) === undefined) continue;
    alphabet.lastIndex = index;
    const [whole = ''] = alphabet.exec(text) ?? [];
    const data = inflated(whole, isHex, spend(whole.length));
    if (data === 'too much') spend(Number.POSITIVE_INFINITY);
    else if (data) yield { data, start: index, end: index + whole.length };
  }
}

/** The length of the header of gzip (RFC 1952): whoever reads that by himself isn't told off for what stands behind the data. */
function gzipHeader(bytes: Buffer): number {
  const flags = bytes[3] ?? 0;
  let length = 10;
  if (flags & 4) length += 2 + bytes.readUInt16LE(length);
  // A name and a comment end in a NUL.
  for (const flag of [8, 16]) if (flags & flag) length = bytes.indexOf(0, length) + 1;
  return flags & 2 ? length + 2 : length;
}

/** What a run holds, even if it breaks off; `undefined` if it holds no compressed data. */
function inflated(run: string, isHex: boolean, most: number): Buffer | 'too much' | undefined {
  const bytes = isHex ? Buffer.from(run.replace(/[^\da-f]/gi, ''), 'hex') : Buffer.from(run, 'base64');
  const isGzip = bytes[0] === 0x1f;
  const inflate = isGzip ? inflateRawSync : bytes[0] === 0x78 ? inflateSync : zstdDecompressSync;
  const finishFlush = inflate === zstdDecompressSync ? constants.ZSTD_e_flush : constants.Z_SYNC_FLUSH;
  try {
    return inflate(isGzip ? bytes.subarray(gzipHeader(bytes)) : bytes, {
      finishFlush,
      maxOutputLength: Math.max(most, 1),
    });
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? 'too much' : undefined;
  }
}
