import { constants, gunzipSync, inflateRawSync, inflateSync, zstdDecompressSync } from 'node:zlib';
import { BREAKS } from './escapes.ts';
import { SEPARATOR, type View, viewOf } from './views.ts';

/** Characters, as a table by their codes. */
const those = (pattern: RegExp) =>
  Uint8Array.from({ length: 256 }, (_, code) => Number(pattern.test(String.fromCharCode(code))));

/** An alphabet into which bytes are packed: `characters` for each `bytes`. */
interface Alphabet {
  readonly encoding: 'base64' | 'hex';
  readonly has: Uint8Array;
  readonly characters: number;
  readonly bytes: number;
  /** What a printable byte may begin with. */
  readonly begins: Uint8Array;
  /** A run of whole bytes with a separator behind it: nothing that a secret could seem to go on with. */
  readonly closed: (run: string) => string;
}

const base64: Alphabet = {
  ...{ encoding: 'base64', characters: 4, bytes: 3 },
  has: those(new RegExp(`[\\w+/${BREAKS}-]`)),
  begins: those(/[ACDI-Za-f]/),
  closed: (run) => `${run}${'A'.repeat(-run.length & 3)}AwMD`,
};
const hexadecimal: Alphabet = {
  ...{ encoding: 'hex', characters: 2, bytes: 1 },
  has: those(/[\da-f]/i),
  begins: those(/[02-7]/),
  closed: (run) => `${run.slice(0, run.length & ~1)}03`,
};
/** With what UTF-16 and line breaks add. */
const printable = those(/[ -~\0\r\n]/);

interface Run {
  readonly start: number;
  readonly text: string;
}

/** The runs of `fewest` characters or more out of `has`, from each of which at least one character in so many is looked at. */
function runsIn(text: string, has: Uint8Array, fewest: number): Run[] {
  const runs: Run[] = [];
  for (let at = fewest - 1; at < text.length; at += fewest) {
    let [start, end] = [at, at];
    while (has[text.charCodeAt(end)]) end++;
    while (start > 0 && has[text.charCodeAt(start - 1)]) start--;
    if (end > at && end - start >= fewest) runs.push({ start, text: text.slice(start, end) });
    at = end;
  }
  return runs;
}

const someBreaks = new RegExp(`[${BREAKS}]+`, 'g');
const noBreak = new RegExp(`[^${BREAKS}]`, 'g');

/**
 * What the runs of base64, base64url and hexadecimal in a text stand for. Text before a value (a slash, a prefix) may look like
 * its beginning, so each run is read from each of its first characters.
 */
export function* unpacked(source: View, fewest: number): Generator<View> {
  // Hexadecimal characters are those of base64, too, and a secret needs more of them.
  const runs = runsIn(source.text, base64.has, Math.ceil((fewest * 4) / 3));
  const may = runs.filter(({ text }) => mayBePrintable(text, base64, fewest));
  if (may.length > 0) yield stretches(unpackedRuns(source, may, base64), fewest);
  const inRun = (run: Run) =>
    runsIn(run.text, hexadecimal.has, fewest * 2).map(({ start, text }) => ({ start: run.start + start, text }));
  const hexRuns = runs.flatMap(inRun).filter(({ text }) => mayBePrintable(text, hexadecimal, fewest));
  if (hexRuns.length > 0) yield stretches(unpackedRuns(source, hexRuns, hexadecimal), fewest);
}

/** Whether a run may stand for `fewest` printable characters in a row, from whichever character it is read: hardly any does. */
function mayBePrintable(run: string, { begins, characters, bytes }: Alphabet, fewest: number): boolean {
  const own = run.replace(someBreaks, '');
  // At both ends, others may be parts of what stands for them and for something else.
  const enough = Math.max(1, Math.floor((fewest - bytes + 1) / bytes));
  for (let skip = 0; skip < characters; skip++)
    for (let [at, inARow] = [skip, 0]; at < own.length; at += characters) {
      inARow = begins[own.charCodeAt(at)] ? inARow + 1 : 0;
      if (inARow >= enough) return true;
    }
  return false;
}

function unpackedRuns(source: View, runs: readonly Run[], alphabet: Alphabet): View {
  const { encoding, characters, bytes, closed } = alphabet;
  /** A run from each of its first characters on. */
  const readings = (run: string) => {
    const own = run.replace(someBreaks, '');
    return Array.from({ length: characters }, (_, skip) => closed(own.slice(skip)));
  };
  const text = Buffer.from(runs.flatMap((run) => readings(run.text)).join(''), encoding).toString('latin1');
  return viewOf(source, text, () => {
    const indexes = runs.flatMap(({ text: run, start }) => {
      const own = Array.from(run.matchAll(noBreak), ({ index }) => start + index);
      const last = start + run.length - 1;
      return readings(run).flatMap((reading, skip) => Array.from(reading, (_, at) => own[skip + at] ?? last));
    });
    const places: number[] = [];
    for (let byte = 0; byte < text.length; byte++) {
      const first = Math.floor((byte * characters) / bytes);
      places.push(indexes[first] as number, (indexes[first + 1] as number) + 1);
    }
    return places;
  });
}

/** Only the stretches that can hold a secret: little is left of an image, an id, or a run that was read from a wrong character. */
function stretches(source: View, fewest: number): View {
  const runs = runsIn(source.text, printable, fewest);
  return viewOf(source, runs.map(({ text }) => text + SEPARATOR).join(''), () => {
    const places: number[] = [];
    for (const { text, start } of runs) for (let at = start; at <= start + text.length; at++) places.push(at, at + 1);
    return places;
  });
}

/** The beginnings of gzip, Zstandard and zlib in base64 and in hexadecimal; they may overlap. */
const BEGINS =
  /H(?=4sI)|K(?=LUv[/_])|e(?=J[w-z]|A[E-H]|F[4-7]|N[o-r])|1(?=[fF]8[bB]08)|2(?=8[bB]52[fF][fF][dD])|7(?=8(?:01|5[eE]|9[cC]|[dD][aA]))/g;
const [BASE64, HEXADECIMAL] = ['\\w+/\\-', '\\da-fA-F'].map((all) => new RegExp(`[${all}${BREAKS}]+`, 'y')) as [
  RegExp,
  RegExp,
];

/** So many characters are tried first: hardly anything else than compressed data can be read for as long. */
const TRIED = 96;

/** The limits of what is spent on one text. */
export interface Work {
  /** Whether one more beginning may be tried: that is slow, however short the data. */
  mayTry(): boolean;
  /** Takes work into account, and says how much of it is left. */
  spend(work: number): number;
}

/** Data that was compressed and then packed: what is read in it is at all of it. */
export function* decompressed(source: View, { mayTry, spend }: Work): Generator<View> {
  const { text } = source;
  // Hardly any text has one.
  if (text.search(BEGINS) < 0) return;
  for (const { index } of text.matchAll(BEGINS)) {
    if (!mayTry()) return;
    const alphabet = /\d/.test(text.charAt(index)) ? HEXADECIMAL : BASE64;
    const runIn = (until: number) => {
      alphabet.lastIndex = index;
      return alphabet.exec(text.slice(0, until))?.[0] ?? '';
    };
    const bytesOf = (run: string) =>
      Buffer.from(run.replace(someBreaks, ''), alphabet === HEXADECIMAL ? 'hex' : 'base64');
    if (inflated(bytesOf(runIn(index + TRIED)), TRIED * 1_100) === undefined) continue;
    const whole = runIn(text.length);
    const data = inflated(bytesOf(whole), spend(whole.length));
    if (data === 'too much') spend(Number.POSITIVE_INFINITY);
    else if (data) yield { text: data.toString('latin1'), place: () => source.place(index, index + whole.length) };
  }
}

type Inflate = (bytes: Buffer, options: { readonly maxOutputLength: number }) => Buffer;

const finishFlush = constants.Z_SYNC_FLUSH;

/** How compressed data is read, by its first byte, even if it breaks off. */
const formats: Readonly<Record<number, readonly Inflate[]>> = {
  // All of its members, or the first one, whatever stands behind it.
  31: [
    (bytes, options) => gunzipSync(bytes, { ...options, finishFlush }),
    (bytes, options) => inflateRawSync(bytes.subarray(gzipHeader(bytes)), { ...options, finishFlush }),
  ],
  120: [(bytes, options) => inflateSync(bytes, { ...options, finishFlush })],
  40: [(bytes, options) => zstdDecompressSync(bytes, { ...options, finishFlush: constants.ZSTD_e_flush })],
};

/** What compressed bytes hold; `undefined` if they hold no compressed data. */
export function inflated(bytes: Buffer, most: number): Buffer | 'too much' | undefined {
  for (const inflate of formats[bytes[0] ?? 0] ?? []) {
    try {
      return inflate(bytes, { maxOutputLength: Math.max(most, 1) });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') return 'too much';
    }
  }
  return undefined;
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
