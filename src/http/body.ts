import { promisify } from 'node:util';
import zlib from 'node:zlib';
import type { Redactor } from '../redaction/index.ts';
import { parseJson } from './json.ts';

export type Parsed = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly problem: string };

export interface ResponseBody {
  /** The size of the body after decompression. */
  readonly bytes: number;
  readonly text: string;
  readonly json: Parsed;
  readonly masked?: true;
}

export class ResponseTooLarge extends Error {
  readonly when: 'decompressed' | 'parsed';

  constructor(when: ResponseTooLarge['when']) {
    super();
    this.when = when;
  }
}

/** A body that takes too much work to search for secrets, so nothing of it may be shown. */
export class BodyNotSearched extends Error {
  readonly bytes: number;

  constructor(bytes: number) {
    super();
    this.bytes = bytes;
  }
}

/** Each JSON value counts as this many bytes of the limit, because a few megabytes of `{},{},…` would fill the memory of a long-running process. */
const BYTES_OF_VALUE = 25;
/** A body may always have this many values, even if its limit in bytes is low. */
const FEWEST_VALUES = 100_000;

type Inflate = (data: Buffer, options: zlib.ZlibOptions) => Promise<Buffer>;

const [inflate, inflateRaw] = [promisify(zlib.inflate), promisify(zlib.inflateRaw)] as Inflate[] as [Inflate, Inflate];

const decoders: Readonly<Record<string, Inflate>> = {
  gzip: promisify(zlib.gunzip),
  'x-gzip': promisify(zlib.gunzip),
  deflate: async (data, options) => {
    // In HTTP, `deflate` means zlib's format, but some servers send the data without zlib's header.
    const isZlib = data.length > 1 && ((data[0] ?? 0) & 0x0f) === 8 && data.readUInt16BE(0) % 31 === 0;
    return isZlib ? inflate(data, options) : inflateRaw(data, options);
  },
  br: promisify(zlib.brotliDecompress) as Inflate,
};

/** Request headers that ask for content that `readBody` can decode. */
export const accepted = { accept: '*/*', 'accept-encoding': 'gzip, deflate, br' };

/**
 * Decompresses, decodes and redacts a body; parses its JSON on demand.
 * @throws ResponseTooLarge if the body would be larger than `maxBytes`, or has too many JSON values
 * @throws BodyNotSearched if the body takes too much work to search for secrets
 */
export async function readBody(
  raw: Buffer,
  encoding: string | undefined,
  maxBytes: number,
  redactor: Redactor,
): Promise<ResponseBody> {
  const sent = encoding === undefined ? { bytes: raw } : await decompress(raw, encoding, maxBytes);
  if ('problem' in sent) return { bytes: raw.length, text: '', json: { ok: false, problem: sent.problem } };
  const bytes = sent.bytes.length;
  const { text, problem } = decode(sent.bytes, encoding);
  if (hasMoreValues(text, Math.max(FEWEST_VALUES, maxBytes / BYTES_OF_VALUE))) throw new ResponseTooLarge('parsed');
  // The suite shows, compares and stores only this masked text and values that derive from it, and never the body itself.
  const clean = redactor.body(text);
  if (clean === undefined) throw new BodyNotSearched(bytes);
  const masked = clean === text ? {} : { masked: true as const };
  if (problem) return { bytes, text: clean, json: { ok: false, problem }, ...masked };
  return bodyOf({ bytes, text: clean, ...masked });
}

/** A run keeps many responses, so a body's JSON is parsed on demand and released when memory is short. */
export function bodyOf(body: Omit<ResponseBody, 'json'>): ResponseBody {
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

async function decompress(
  raw: Buffer,
  encoding: string,
  maxBytes: number,
): Promise<{ bytes: Buffer } | { problem: string }> {
  const names = encoding.split(',').map((name) => name.trim().toLowerCase());
  let bytes = raw;
  try {
    // The encoding that is last in the header was applied last, so it is removed first.
    for (const name of names.reverse()) {
      const decoder = decoders[name];
      if (decoder && bytes.length > 0) bytes = await decoder(bytes, { maxOutputLength: maxBytes });
    }
    return { bytes };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ERR_BUFFER_TOO_LARGE') throw new ResponseTooLarge('decompressed');
    return { problem: `not valid ${encoding} (${code})` };
  }
}

/** Compressions by the first two bytes of their data. No valid UTF-8 text begins with them. */
const codingsByMagic: Readonly<Record<string, string>> = { '1f8b': 'gzip', '28b5': 'zstd' };

const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

function decode(bytes: Buffer, encoding: string | undefined): { text: string; problem?: string } {
  try {
    return { text: strictUtf8.decode(bytes) };
  } catch {
    const mark = bytes.subarray(0, 2).toString('hex');
    const utf16 = { fffe: 'utf-16le', feff: 'utf-16be' }[mark];
    const text = utf16 ? new TextDecoder(utf16).decode(bytes) : bytes.toString('latin1');
    const unasked = encoding?.split(',').find((name) => !(name.trim().toLowerCase() in decoders));
    if (unasked) return { text, problem: `in the encoding ${unasked.trim()}, which the request did not allow` };
    const coding = codingsByMagic[mark];
    return { text, problem: coding ? `${coding}, but no Content-Encoding says so` : 'not UTF-8' };
  }
}

/** Whether a text that looks like JSON has more values than `most`, estimated without parsing it. */
function hasMoreValues(text: string, most: number): boolean {
  if (text.length < most || !/^\s*[[{]/.test(text)) return false;
  let found = 0;
  for (let index = 0; index < text.length && found <= most; index++) if (',[{'.includes(text.charAt(index))) found++;
  return found > most;
}

function parse(text: string): Parsed {
  if (text.trim() === '') return { ok: false, problem: 'empty' };
  try {
    return { ok: true, value: parseJson(text) };
  } catch {
    // The parser's message isn't shown, because it would quote the text.
    return { ok: false, problem: 'not valid JSON' };
  }
}
