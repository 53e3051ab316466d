import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';

/** A secret that was found where none may be. */
export interface Leak {
  readonly secret: string;
  readonly form: string;
  /** The file, or another source's name. */
  readonly place: string;
}

/** How deep data may lie in data: a report keeps compressed attachments as base64 in JSON. */
const DEPTH = 2;

/** A longer piece of base64 is a file of its own: a font, an attachment. */
const LARGE = 10_000;

/**
 * Looks for secrets (by name) in a text or in bytes: plain, URL-encoded, JSON-escaped, base64 and base64url, and
 * the same in whatever is compressed or base64-encoded inside. It shares no code with the redactor on purpose.
 */
export function findLeaks(data: Buffer, secrets: Readonly<Record<string, string>>, place: string): Leak[] {
  const needles = Object.entries(secrets).flatMap(([secret, value]) =>
    Object.entries(formsOf(value)).map(([form, text]) => ({ secret, form, text })),
  );
  const layers = unfolded(data, DEPTH);
  const found = needles.filter(({ text }) => layers.some((bytes) => bytes.includes(text)));
  return found.map(({ secret, form }) => ({ secret, form, place }));
}

/** The same for every file of a folder and its name. */
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

function formsOf(value: string): Record<string, string> {
  const base64 = Buffer.from(value).toString('base64').replace(/=+$/, '');
  return {
    plain: value,
    'URL-encoded': encodeURIComponent(value),
    'JSON-escaped': JSON.stringify(value).slice(1, -1),
    'HTML-escaped': value.replaceAll('&', '&amp;').replaceAll('"', '&quot;'),
    // The last character of a group also holds bits of what follows.
    base64: base64.slice(0, -1),
    base64url: Buffer.from(value).toString('base64url').slice(0, -1),
  };
}

function unfolded(bytes: Buffer, depth: number): Buffer[] {
  if (depth === 0) return [bytes];
  const inside = [...decompressed(bytes), ...base64Blocks(bytes)];
  return [bytes, ...inside.flatMap((inner) => unfolded(inner, depth - 1))];
}

function base64Blocks(bytes: Buffer): Buffer[] {
  const text = bytes.toString('latin1');
  const blocks = [...text.matchAll(/[A-Za-z0-9+/_-]{24,}/g)];
  // What stands before it (a path's slash, a prefix) may be taken for its beginning, so every start is tried; a whole
  // file stands alone.
  return blocks.flatMap(([block]) =>
    (block.length > LARGE ? [0] : [0, 1, 2, 3]).map((skip) => Buffer.from(block.slice(skip), 'base64')),
  );
}

function decompressed(bytes: Buffer): Buffer[] {
  const isZlib = bytes[0] === 0x78 && bytes.length > 2 && bytes.readUInt16BE(0) % 31 === 0;
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return attempt(() => gunzipSync(bytes));
  if (isZlib) return attempt(() => inflateSync(bytes));
  return zipEntries(bytes);
}

/** The entries of a ZIP file, read from their local headers. */
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
