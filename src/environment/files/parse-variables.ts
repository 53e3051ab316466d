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
  return readVariablesFile(path, role).variables;
}

/** None where nothing is at the path. @throws FileTrouble */
export function readVariablesIfAny(path: string, role: FileRole): Readonly<Record<string, string>> {
  return readVariablesFile(path, role, { mayBeMissing: true }).variables;
}

/** The variables of a file, and the losses among their values. @throws FileTrouble */
export function readVariablesFile(path: string, role: FileRole, { mayBeMissing = false } = {}) {
  const text = mayBeMissing ? (readTextIfAny(path, role, MAX_BYTES) ?? '') : readText(path, role, MAX_BYTES);
  // Of another encoding or of no text at all dotenv would read nothing, without a word.
  if (/[\0\uFFFD]/.test(text)) throw new FileTrouble(path, role, 'is not text in UTF-8', 'Save it as UTF-8');
  const found = Object.entries(parseVariables(text)).filter(([key, value]) => !mayBeSecret(key, value));
  return { variables: { ...Object.fromEntries(found), ...strayLines(text) }, losses: lossesIn(text) };
}

/** A value, or a part of one, that dotenv drops without a message. */
export interface Loss {
  readonly line: number;
  readonly key: string;
  readonly text: string;
}

/** Values that end before a `#` that begins no comment, and those of keys that are there again. */
export function lossesIn(text: string): Loss[] {
  const all = entriesIn(text);
  return all.flatMap(({ line, key, rest }, index) => {
    const hash = isQuoted(rest) ? -1 : rest.indexOf('#');
    const isCut = hash >= 0 && !/\s/.test(rest.charAt(hash - 1));
    const again = all.find((each, at) => at > index && each.key === key);
    return [
      ...(isCut ? [{ line, key, text: 'the value ends before #; put it in quotes if the # belongs to it' }] : []),
      ...(again ? [{ line, key, text: `line ${again.line} has this key again, and only the last one counts` }] : []),
    ];
  });
}

/** Whether a variable may be a text in base64 with its padding, such as the last line of a key in PEM, whose name must not be shown. */
export function mayBeSecret(key: string, value: string): boolean {
  return /^=?$/.test(value) && /^(?=.*[a-z])[\w.-]{8,}$/.test(key) && `${key}=${value}`.length % 4 === 0;
}

/** Whether a line of a file begins with a key, though dotenv would ignore the line silently. */
export function isStray(key: string): boolean {
  return /^line \d+$/.test(key);
}

/** Whether a value stands in quotes, perhaps with a comment after them. */
function isQuoted(rest: string): boolean {
  return /^\s*(?:"[^"]*"|'[^']*'|`[^`]*`)\s*(?:#.*)?$/.test(rest);
}

/** The lines that are no `KEY=value`, or may be a secret in base64, each with its first word. */
function strayLines(text: string): Record<string, string> {
  const stray = linesIn(text).filter(({ key, rest }) => key === undefined || mayBeSecret(key, rest.trim()));
  return Object.fromEntries(
    stray.map(({ line, text }) => [`line ${line}`, /^\s*(?:export\s+)?([^\s=:]*)/.exec(text)?.[1] ?? '']),
  );
}

function entriesIn(text: string) {
  return linesIn(text).flatMap(({ line, key, rest }) => (key === undefined ? [] : [{ line, key, rest }]));
}

/** The lines that begin something, with the key and what follows its `=`. Further lines of a quoted value belong to it. */
function linesIn(text: string) {
  const lines = text.split(/\r?\n/);
  const parsedLines: {
    readonly line: number;
    readonly text: string;
    readonly key: string | undefined;
    readonly rest: string;
  }[] = [];
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? '';
    if (/^\s*(#|$)/.test(line)) continue;
    const [, key, rest = ''] = /^\s*(?:export\s+)?([\w.-]+)(?:\s*=|:(?=\s))(.*)$/.exec(line) ?? [];
    parsedLines.push({ line: index + 1, text: line, key, rest });
    const value = rest.trim();
    const quote = /^['"`]/.exec(value)?.[0];
    if (!quote || value.indexOf(quote, 1) !== -1) continue;
    const end = lines.findIndex((each, at) => at > index && each.includes(quote));
    // The whole value, as far as it belongs to the quotes.
    if (end > 0) parsedLines[parsedLines.length - 1] = { line: index + 1, text: line, key, rest: `${quote}…${quote}` };
    if (end > 0) index = end;
  }
  return parsedLines;
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
