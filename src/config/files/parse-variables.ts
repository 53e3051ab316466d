import { parse } from 'dotenv';
import { type FileRole, FileTrouble, readText, readTextIfAny } from './index.ts';

/** Room for every key at its longest. */
const MAX_BYTES = 1_000_000;

/** KEY=value lines as dotenv reads them; keeps every key, even `__proto__`. */
export function parseVariables(text: string): Readonly<Record<string, string>> {
  const found = parse(text);
  // Assigning this one to an object, as dotenv does, sets nothing.
  const isLost = /^\s*(?:export\s+)?__proto__\s*[=:]/m.test(text);
  return isLost ? Object.defineProperty(found, '__proto__', { value: '', enumerable: true }) : found;
}

export function readVariables(path: string, role: FileRole): Readonly<Record<string, string>> {
  return asVariables(readText(path, role, MAX_BYTES), path, role);
}

/** None where nothing is at the path. @throws FileTrouble */
export function readVariablesIfAny(path: string, role: FileRole): Readonly<Record<string, string>> {
  return asVariables(readTextIfAny(path, role, MAX_BYTES) ?? '', path, role);
}

function asVariables(text: string, path: string, role: FileRole): Readonly<Record<string, string>> {
  // Of another encoding or of no text at all dotenv would read nothing, without a word.
  if (/[\0\uFFFD]/.test(text)) throw new FileTrouble(path, role, 'is not text in UTF-8', 'Save it as UTF-8');
  const found = Object.entries(parseVariables(text)).filter(([key, value]) => !mayBeSecret(key, value));
  return { ...Object.fromEntries(found), ...strayLines(text) };
}

/** Whether a variable may be a text in base64 with its padding, such as the last line of a key in PEM, whose name must not be shown. */
export function mayBeSecret(key: string, value: string): boolean {
  return /^=?$/.test(value) && /^(?=.*[a-z])[\w.-]{8,}$/.test(key) && `${key}=${value}`.length % 4 === 0;
}

/** Whether a key is the name of a line among the variables of a file that dotenv would leave out without a word. */
export function isStray(key: string): boolean {
  return /^line \d+$/.test(key);
}

/** The lines that are no `KEY=value`, or may be a secret in base64, each with its first word. Lines of a quoted value belong to it. */
function strayLines(text: string): Record<string, string> {
  const lines = text.split(/\r?\n/);
  const stray: Record<string, string> = {};
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? '';
    if (/^\s*(#|$)/.test(line)) continue;
    const [, key = '', value] = /^\s*(?:export\s+)?([\w.-]+)(?:\s*=|:\s)\s*(.*)$/.exec(line) ?? [];
    if (value === undefined || mayBeSecret(key, value.trim()))
      stray[`line ${index + 1}`] = /^\s*(?:export\s+)?([^\s=:]*)/.exec(line)?.[1] ?? '';
    const quote = /^['"`]/.exec(value ?? '')?.[0];
    if (!quote || value?.indexOf(quote, 1) !== -1) continue;
    const end = lines.findIndex((each, at) => at > index && each.includes(quote));
    if (end > 0) index = end;
  }
  return stray;
}

/** `KEY=value` with its line end, such that dotenv reads the very same value back; `undefined` when no quotes can do that. */
export function variableLine(key: string, value: string): string | undefined {
  const candidates = ['', "'", '`', '"'].map((quote) => `${key}=${quote}${value}${quote}\n`);
  // A second variable after it shows that the value ends where it should.
  return candidates.find((line) => {
    const read = parseVariables(`${line}_=_\n`);
    return read[key] === value && read._ === '_' && Object.keys(read).length === 2;
  });
}
