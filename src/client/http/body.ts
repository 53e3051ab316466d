import { promisify } from 'node:util';
import zlib from 'node:zlib';
import type { Redactor } from '../redaction/redactor.ts';
import { MASK } from '../redaction/secret.ts';

/** A body's JSON value, or the reason why it has none. */
export type Parsed = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly problem: string };

/** A response body, with the caller's secrets masked. */
export interface ResponseBody {
  /** Decompressed size. */
  readonly bytes: number;
  readonly text: string;
  readonly json: Parsed;
  readonly masked?: true;
}

export class ResponseTooLarge extends Error {}

type Inflate = (data: Buffer, options: zlib.ZlibOptions) => Promise<Buffer>;

const decoders: Readonly<Record<string, Inflate>> = {
  gzip: promisify(zlib.gunzip),
  'x-gzip': promisify(zlib.gunzip),
  deflate: promisify(zlib.inflate),
  br: promisify(zlib.brotliDecompress) as Inflate,
};

/** The value of `accept-encoding`: the encodings that `readBody` decodes. */
export const acceptedEncodings = 'gzip, deflate, br';

/**
 * Decompresses, decodes, parses and redacts a body.
 * @throws ResponseTooLarge when it would be larger than `maxBytes`.
 */
export async function readBody(
  raw: Buffer,
  encoding: string | undefined,
  maxBytes: number,
  redactor: Redactor,
): Promise<ResponseBody> {
  const inflated = encoding === undefined ? { bytes: raw } : await inflate(raw, encoding, maxBytes);
  if ('problem' in inflated) return { bytes: raw.length, text: '', json: { ok: false, problem: inflated.problem } };
  const bytes = inflated.bytes.length;
  const { text, problem } = decode(inflated.bytes);
  // Everything that is shown, compared and stored derives from this one text, so that masking applies to all of it.
  const isHidden = isPacked(inflated.bytes) && (await hidesSecret(inflated.bytes, maxBytes, redactor));
  const clean = isHidden ? MASK : redactor.body(text);
  const masked = clean === text ? {} : { masked: true as const };
  if (problem) return { bytes, text: clean, json: { ok: false, problem }, ...masked };
  return parsedLater({ bytes, text: clean, ...masked });
}

/** A run keeps many responses, so a body's JSON is parsed on demand and released when memory is short. */
function parsedLater(body: Omit<ResponseBody, 'json'>): ResponseBody {
  let kept: WeakRef<Parsed> | undefined;
  return {
    ...body,
    get json() {
      const known = kept?.deref();
      if (known) return known;
      const parsed = parse(body.text);
      kept = new WeakRef(parsed);
      return parsed;
    },
  };
}

async function inflate(
  raw: Buffer,
  encoding: string,
  maxBytes: number,
): Promise<{ bytes: Buffer } | { problem: string }> {
  const names = encoding.split(',').map((name) => name.trim().toLowerCase());
  let bytes = raw;
  try {
    // The one that was applied last stands last.
    for (const name of names.reverse()) {
      const decoder = decoders[name];
      if (decoder && bytes.length > 0) bytes = await decoder(bytes, { maxOutputLength: maxBytes });
    }
    return { bytes };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ERR_BUFFER_TOO_LARGE') throw new ResponseTooLarge();
    return { problem: `not valid ${encoding} (${code})` };
  }
}

const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

function decode(bytes: Buffer): { text: string; problem?: string } {
  try {
    return { text: strictUtf8.decode(bytes) };
  } catch {
    const mark = bytes.subarray(0, 2).toString('hex');
    const utf16 = { fffe: 'utf-16le', feff: 'utf-16be' }[mark];
    return { text: utf16 ? new TextDecoder(utf16).decode(bytes) : bytes.toString('latin1'), problem: 'not UTF-8' };
  }
}

function parse(text: string): Parsed {
  if (text.trim() === '') return { ok: false, problem: 'empty' };
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch {
    // The parser's message would quote the text.
    return { ok: false, problem: 'not valid JSON' };
  }
}

type Decompress = (data: Buffer, options: zlib.ZlibOptions) => Promise<Buffer>;

/** By the first bytes of the data. */
const formats: readonly (readonly [magic: string, decompress: Decompress])[] = [
  ['1f8b', promisify(zlib.gunzip)],
  ['7801', promisify(zlib.inflate)],
  ['785e', promisify(zlib.inflate)],
  ['789c', promisify(zlib.inflate)],
  ['78da', promisify(zlib.inflate)],
  ['28b52ffd', promisify(zlib.zstdDecompress) as Decompress],
];

const firstBytes: ReadonlySet<number | undefined> = new Set(
  formats.map(([magic]) => Number.parseInt(magic.slice(0, 2), 16)),
);

/** How often data that is compressed again is decompressed. */
const DEEPEST = 3;

function isPacked(data: Buffer): boolean {
  return firstBytes.has(data[0]);
}

/**
 * Whether a secret is in data that a service compressed without saying so, or once more than it says. The suite doesn't read it,
 * but whoever is shown the bytes could. What is larger than `maxBytes` inside is taken for one that holds a secret.
 */
async function hidesSecret(data: Buffer, maxBytes: number, redactor: Redactor): Promise<boolean> {
  let inner = data;
  for (let depth = 0; depth < DEEPEST; depth++) {
    const begin = inner.subarray(0, 4).toString('hex');
    const decompress = formats.find(([magic]) => begin.startsWith(magic))?.[1];
    if (!decompress) return false;
    try {
      // A truncated stream is still readable up to its end.
      inner = await decompress(inner, { maxOutputLength: maxBytes, finishFlush: zlib.constants.Z_SYNC_FLUSH });
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    }
    const text = inner.toString('latin1');
    if (redactor.text(text) !== text) return true;
  }
  return false;
}
