import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { gunzipSync, inflateRawSync, inflateSync, zstdDecompressSync } from 'node:zlib';
import { spellings, type Write } from './secret-spellings.ts';

export interface Leak {
  readonly secret: string;
  /** The encoding of the secret, and the encoding around that, if any. */
  readonly form: string;
  /** The path of the file, or the name of another source. */
  readonly place: string;
}

/**
 * Searches bytes for secrets, which are given by name. Finds a secret in every encoding that software uses, in an encoding inside another
 * one, in compressed bytes, and in upper or lower case. The search shares no code with the redactor: Node and libraries write the encoded
 * secrets that it looks for.
 */
export function findLeaks(data: Buffer, secrets: Readonly<Record<string, string>>, place: string): Leak[] {
  const texts = [data, ...decompressed(data)].flatMap((bytes) => textsIn(bytes.toString('latin1').toLowerCase()));
  return Object.entries(secrets).flatMap(([secret, value]) =>
    [...needlesOf(value)]
      .filter(([needle]) => texts.some((text) => text.includes(needle)))
      .map(([, form]) => ({ secret, form, place })),
  );
}

/** Searches every file of a folder, and its name, for secrets. */
export function findSecretsInFolder(folder: string, secrets: Readonly<Record<string, string>>): Leak[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.flatMap((entry) => {
    const file = join(entry.parentPath, entry.name);
    const name = relative(folder, file);
    return [
      ...findLeaks(Buffer.from(name), secrets, `the name of ${name}`),
      ...findLeaks(readFileSync(file), secrets, name),
    ];
  });
}

/**
 * The forms in which a text is searched: unchanged, and as one line without tags, colours and line breaks, because these may interrupt a
 * secret. In quoted-printable, the `=` at the end of a line belongs to the line break.
 */
function textsIn(text: string): string[] {
  const plain = stripVTControlCharacters(text).replace(/<[a-z/][^<>]*>|[\xc2\xe2]\xad|\0/g, '');
  return [
    ...new Set([
      text,
      unnumbered(text),
      plain.replace(/\r?\n(?: {2,})?/g, ''),
      plain.replace(/\r?\n /g, ''),
      plain.replace(/=\r?\n/g, ''),
    ]),
  ];
}

const spellingsBySecret = new Map<string, ReadonlyMap<string, string>>();

/** A value in every encoding, as bytes in lower case, with the name of the encoding. */
function needlesOf(value: string): ReadonlyMap<string, string> {
  const before = spellingsBySecret.get(value);
  if (before) return before;
  const needles = new Map<string, string>();
  const add = (written: string, form: string) => {
    const needle = unnumbered(Buffer.from(written).toString('latin1').toLowerCase());
    if (needle.length >= 8 && !needles.has(needle)) needles.set(needle, form);
  };
  const all = [...Object.entries(spellings).filter(([form]) => !form.startsWith('base64')), ...base64];
  for (const [inner, write] of all) {
    add(bare(write(value)), inner);
    for (const [outer, again] of all) add(bare(again(bare(write(value)))), `${inner} in ${outer}`);
  }
  spellingsBySecret.set(value, needles);
  return needles;
}

/**
 * Removes what Node prints around the bytes of a Buffer or array. In an output, other bytes may come before and after the secret, so the
 * search needs the bytes alone.
 */
const bare: Write = (text) =>
  text.replace(/^<Buffer |>$|^(?:\{"type":"Buffer","data":)?\[|\]\}?$|^\{(?="0":\d)|(?<=\d)\}$/g, '');

/** Removes the indexes that JSON writes before the bytes of a typed array, because the secret may begin at any index. */
const unnumbered: Write = (text) => text.replace(/"\d+":(?=\d)/g, '');

/**
 * The base64 of a secret as part of a longer text. It depends on the number of bytes before the secret (modulo 3), so there are three
 * forms. The characters at both ends are left out, because they also hold bits of neighbouring bytes.
 */
const base64 = (['base64', 'base64url'] as const).flatMap((encoding) =>
  [0, 1, 2].map((before): [string, Write] => [
    encoding,
    (text) => {
      const bytes = Buffer.from(' '.repeat(before) + text);
      return bytes.toString(encoding).slice(before && before + 1, Math.floor((bytes.length * 4) / 3));
    },
  ]),
);

/** Decompresses the bytes as a whole, each entry of a ZIP file, and each compressed file that a report holds as base64. */
function decompressed(bytes: Buffer): Buffer[] {
  const blocks = bytes.toString('latin1').match(/(?:H4sI|UEsD|eJ)[\w+/]{200,}/g) ?? [];
  return [bytes, ...blocks.map((block) => Buffer.from(block, 'base64'))].flatMap((each) => [
    ...formats.filter(({ isIn }) => isIn(each)).flatMap(({ inflate }) => attempt(() => inflate(each))),
    ...zipEntries(each),
  ]);
}

/** Compressed formats, recognised by their first bytes, because most bytes are not compressed, and a failed decompression is slow. */
const formats: readonly { isIn(bytes: Buffer): boolean; inflate(bytes: Buffer): Buffer }[] = [
  { isIn: (bytes) => bytes.length > 1 && bytes.readUInt16BE() === 0x1f8b, inflate: (bytes) => gunzipSync(bytes) },
  // RFC 1950: the first two bytes as a number are a multiple of 31, and the low half of the first byte is the method, which is always 8.
  {
    isIn: (bytes) => bytes.length > 1 && bytes.readUInt16BE() % 31 === 0 && ((bytes[0] ?? 0) & 0x0f) === 8,
    inflate: (bytes) => inflateSync(bytes),
  },
  // RFC 8878: a frame, or before it a frame to skip, whose magic number may end in any half byte.
  {
    isIn: (bytes) =>
      bytes.length > 3 && (bytes.readUInt32LE() === 0xfd2fb528 || bytes.readUInt32LE() >>> 4 === 0x184d2a5),
    inflate: (bytes) => zstdDecompressSync(bytes),
  },
];

/** The entries of a ZIP file, from their local headers. */
function zipEntries(bytes: Buffer): Buffer[] {
  const found: Buffer[] = [];
  const next = (from: number) => bytes.indexOf('PK\x03\x04', from);
  for (let at = next(0); at >= 0 && at + 30 < bytes.length; at = next(at + 4)) {
    const start = at + 30 + bytes.readUInt16LE(at + 26) + bytes.readUInt16LE(at + 28);
    found.push(...attempt(() => inflateRawSync(bytes.subarray(start), { finishFlush: 2 })));
  }
  return found;
}

function attempt(work: () => Buffer): Buffer[] {
  try {
    return [work()];
  } catch {
    return [];
  }
}
