import { gunzipSync, inflateRawSync, inflateSync, zstdDecompressSync } from 'node:zlib';

export interface Layer {
  /** One character per byte. */
  readonly text: string;
  /** The decoding steps, outermost first. */
  readonly form: string;
}

/** Maximum nesting of data: a report keeps compressed attachments as base64 in JSON. */
const DEPTH = 4;

/** Maximum nesting of escapes. */
const ESCAPED = 8;

/** A longer piece of base64 is a separate file: a font, an attachment. */
const LARGE = 20_000;

/** The data itself, and everything that can be decoded from it. */
export function* decodedLayers(data: Buffer, form = '', depth = DEPTH): Generator<Layer> {
  for (const inner of decompressed(data)) yield* decodedLayers(inner, `${form} compressed`, depth - 1);
  const seen = new Set<string>();
  for (const layer of readings(data.toString('latin1'), form)) {
    if (seen.has(layer.text)) continue;
    seen.add(layer.text);
    yield layer;
    if (depth === 0) continue;
    for (const packed of unpacked(layer.text)) yield* decodedLayers(packed, `${layer.form} packed`, depth - 1);
  }
}

/** A text with its escapes undone zero times, once, twice and so on; with and without quoted-printable and NULs. */
function* readings(text: string, form: string): Generator<Layer> {
  yield { text, form: form.trim() || 'as it is' };
  for (const [name, once] of [
    ['escaped', undone],
    ['quoted-printable', (each: string) => undone(withoutQuotedPrintable(each))],
  ] as const) {
    let current = text;
    for (let count = 0; count < ESCAPED; count++) {
      const next = once(current.replaceAll('\0', ''));
      if (next === current) break;
      current = next;
      yield { text: current, form: `${form} ${name}`.trim() };
    }
  }
}

const names: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", plus: '+', sol: '/', equals: '=', colon: ':', percnt: '%' },
  ...{ bsol: '\\', quest: '?', comma: ',', period: '.', excl: '!', lpar: '(', rpar: ')' },
};

const letters: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };

const ESCAPE =
  /%u([0-9a-f]{4})|%([0-9a-f]{2})|\\[ux]\{([0-9a-f]+)\}|\\u([0-9a-f]{4})|\\x([0-9a-f]{2})|\\([0-3][0-7]{2})|\\(.)|&#x([0-9a-f]+);|&#(\d+);|&([a-z]+);/gis;

/** A text with the escapes of JSON, JavaScript, URLs and HTML undone once. */
function undone(text: string): string {
  return text.replace(ESCAPE, (whole: string, ...groups: (string | undefined)[]) => {
    const [percentU, percent, braces, unicode, byte, octal, letter, hexadecimal, decimal, name] = groups;
    const digits = percentU ?? percent ?? braces ?? unicode ?? byte ?? hexadecimal;
    if (digits !== undefined) return String.fromCharCode(Number.parseInt(digits, 16) & 0xff);
    if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8));
    if (decimal !== undefined) return String.fromCharCode(Number(decimal) & 0xff);
    if (letter !== undefined) return letters[letter.toLowerCase()] ?? letter;
    return names[name?.toLowerCase() ?? ''] ?? whole;
  });
}

function withoutQuotedPrintable(text: string): string {
  return text
    .replace(/=\r?\n/g, '')
    .replace(/=([0-9a-f]{2})/gi, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
}

/** The decoded base64, base64url and hexadecimal in a text: compressed data unchanged, and the readable rest. */
function* unpacked(text: string): Generator<Buffer> {
  const readable: string[] = [];
  for (const [block] of text.matchAll(/[A-Za-z0-9+/_-]{10,}(?:\r?\n[A-Za-z0-9+/_-]+)*/g)) {
    const joined = block.replace(/\s/g, '');
    // Text before it (a path's slash, a prefix) may look like its beginning; a whole file stands alone.
    for (const skip of joined.length > LARGE ? [0] : [0, 1, 2, 3]) {
      const bytes = Buffer.from(joined.slice(skip), 'base64');
      if (decompressed(bytes).length > 0) yield bytes;
      readable.push(...readableIn(bytes));
    }
  }
  for (const [block] of text.matchAll(/[0-9a-f]{16,}/gi))
    for (const skip of [0, 1])
      readable.push(...readableIn(Buffer.from(block.slice(skip, -1) + block.slice(-1), 'hex')));
  if (readable.length > 0) yield Buffer.from(readable.join('\u0007'), 'latin1');
}

function readableIn(bytes: Buffer): string[] {
  return bytes.toString('latin1').match(/[\x20-\x7e\0\r\n]{8,}/g) ?? [];
}

function decompressed(bytes: Buffer): Buffer[] {
  const isZlib = bytes[0] === 0x78 && bytes.length > 2 && bytes.readUInt16BE(0) % 31 === 0;
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return attempt(() => gunzipSync(bytes));
  if (isZlib) return attempt(() => inflateSync(bytes));
  if (bytes.length > 4 && bytes.readUInt32LE(0) === 0xfd2fb528) return attempt(() => zstdDecompressSync(bytes));
  return zipEntries(bytes);
}

/** The entries of a ZIP file, from their local headers. */
function zipEntries(bytes: Buffer): Buffer[] {
  const found: Buffer[] = [];
  for (
    let at = bytes.indexOf('PK\x03\x04');
    at >= 0 && at + 30 < bytes.length;
    at = bytes.indexOf('PK\x03\x04', at + 4)
  ) {
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
