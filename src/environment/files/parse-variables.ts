import { parse } from 'dotenv';
import { type FileRole, FileTrouble, readText, readTextIfAny } from './index.ts';

/** Size limit of a file, in bytes. It leaves room for every key with its longest value. */
const MAX_BYTES = 1_000_000;

/** KEY=value lines as dotenv reads them; keeps every key, even `__proto__`. */
export function parseVariables(text: string): Readonly<Record<string, string>> {
  const found = parse(text);
  // dotenv assigns each key to an object, and an assignment to `__proto__` adds no key.
  const isLost = /^\s*(?:export\s+)?__proto__\s*[=:]/m.test(text);
  return isLost ? Object.defineProperty(found, '__proto__', { value: '', enumerable: true }) : found;
}

export function readVariables(path: string, role: FileRole): Readonly<Record<string, string>> {
  return readVariablesFile(path, role).variables;
}

/** The variables of a file; none if the file doesn't exist. @throws FileTrouble */
export function readVariablesIfAny(path: string, role: FileRole): Readonly<Record<string, string>> {
  return readVariablesFile(path, role, { mayBeMissing: true }).variables;
}

/** The variables of a file, and the values that dotenv drops. @throws FileTrouble */
export function readVariablesFile(path: string, role: FileRole, { mayBeMissing = false } = {}) {
  const text = mayBeMissing ? (readTextIfAny(path, role, MAX_BYTES) ?? '') : readText(path, role, MAX_BYTES);
  // In another encoding, or in a file that isn't text, dotenv would silently find no variables.
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

/** Values that dotenv cuts at a `#` without space before it, and values of keys that a later line repeats. */
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

/** Whether a variable may be base64 with padding, such as the last line of a PEM key. In that case its name must not be shown. */
export function mayBeSecret(key: string, value: string): boolean {
  return /^=?$/.test(value) && /^(?=.*[a-z])[\w.-]{8,}$/.test(key) && `${key}=${value}`.length % 4 === 0;
}

/**
 * Whether a key is a name such as `line 12`, which stands in for a line that isn't `KEY=value`. dotenv would silently ignore such a line.
 */
export function isStray(key: string): boolean {
  return /^line \d+$/.test(key);
}

/** Whether a value is in quotes, perhaps with a comment after them. */
function isQuoted(rest: string): boolean {
  return /^\s*(?:"[^"]*"|'[^']*'|`[^`]*`)\s*(?:#.*)?$/.test(rest);
}

/** Lines that aren't `KEY=value`, or may be a secret in base64: the first word of each line, by the key `line <number>`. */
function strayLines(text: string): Record<string, string> {
  const stray = linesIn(text).filter(({ key, rest }) => key === undefined || mayBeSecret(key, rest.trim()));
  return Object.fromEntries(
    stray.map(({ line, text }) => [`line ${line}`, /^\s*(?:export\s+)?([^\s=:]*)/.exec(text)?.[1] ?? '']),
  );
}

function entriesIn(text: string) {
  return linesIn(text).flatMap(({ line, key, rest }) => (key === undefined ? [] : [{ line, key, rest }]));
}

/** The lines with their key and the text after `=`. Blank lines, comments and further lines of a quoted value are left out. */
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
    // The value has several lines. Callers need to know only that the value is in quotes.
    if (end > 0) parsedLines[parsedLines.length - 1] = { line: index + 1, text: line, key, rest: `${quote}…${quote}` };
    if (end > 0) index = end;
  }
  return parsedLines;
}

/** A line `KEY=value`, with quotes around the value if dotenv needs them to read exactly this value. `undefined` if no quotes work. */
export function variableLine(key: string, value: string): string | undefined {
  const candidates = ['', "'", '`', '"'].map((quote) => `${key}=${quote}${value}${quote}\n`);
  // A second variable after the line shows whether the value ends at the right place.
  return candidates.find((line) => {
    const read = parseVariables(`${line}_=_\n`);
    return read[key] === value && read._ === '_' && Object.keys(read).length === 2;
  });
}
