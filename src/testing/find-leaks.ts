import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { decodedLayers } from './decoded-layers.ts';

export interface Leak {
  readonly secret: string;
  /** The decoding steps to read it, outermost first. */
  readonly form: string;
  /** The file, or another source's name. */
  readonly place: string;
}

/**
 * Searches a text or bytes for secrets (by name), in any case, also inside nested escapes, encodings and
 * compression. On purpose it shares no code with the redactor, and works differently: step by step, like a reader.
 */
export function findLeaks(data: Buffer, secrets: Readonly<Record<string, string>>, place: string): Leak[] {
  const found = new Map<string, Leak>();
  for (const { form, text } of decodedLayers(data)) {
    const lower = text.toLowerCase();
    for (const [secret, value] of Object.entries(secrets))
      if (writings(value).some((needle) => lower.includes(needle)))
        found.set(`${secret} ${form}`, { secret, form, place });
  }
  return [...found.values()];
}

/** The same for every file of a folder, and its name. */
export function findSecretsInFolder(folder: string, secrets: Readonly<Record<string, string>>): Leak[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  // Many files are there twice: as Playwright left them, and as Allure's attachments.
  const searched = new Map<string, Leak[]>();
  return files.flatMap((entry) => {
    const file = join(entry.parentPath, entry.name);
    const name = relative(folder, file);
    const content = readFileSync(file);
    const key = content.toString('latin1');
    const found = searched.get(key) ?? findLeaks(content, secrets, name);
    searched.set(key, found);
    return [
      ...findLeaks(Buffer.from(name), secrets, `the name of ${name}`),
      ...found.map((leak) => ({ ...leak, place: name })),
    ];
  });
}

const known = new Map<string, string[]>();

/** The forms of a secret in a layer, in lower case: its own characters may have been decoded too. */
function writings(value: string): string[] {
  const before = known.get(value);
  if (before) return before;
  const read = [...decodedLayers(Buffer.from(value))].map(({ text }) => text).filter((text) => text.length > 7);
  const packed = [0, 1, 2].map((shift) => {
    const base64 = Buffer.from(' '.repeat(shift) + value).toString('base64');
    // The outer characters contain bits of their neighbours.
    return base64.slice(shift && shift + 1, Math.floor(((shift + value.length) * 4) / 3));
  });
  const all = [value, value.replaceAll('+', ' '), ...read, ...packed].map((text) => text.toLowerCase());
  known.set(value, [...new Set(all)]);
  return all;
}
