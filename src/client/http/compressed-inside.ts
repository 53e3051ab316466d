import { promisify } from 'node:util';
import zlib from 'node:zlib';
import type { Redactor } from '../redaction/redactor.ts';

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

/** Whether data may be compressed, by its first byte. */
export function isPacked(data: Buffer): boolean {
  return firstBytes.has(data[0]);
}

/**
 * Whether a secret is in data that a service compressed without saying so, or once more than it says. The suite doesn't read it,
 * but whoever is shown the bytes could. What is larger than `maxBytes` inside is taken for one that holds a secret.
 */
export async function hidesSecret(data: Buffer, maxBytes: number, redactor: Redactor): Promise<boolean> {
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
