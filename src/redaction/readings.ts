// biome-ignore-all lint/suspicious/noControlCharactersInRegex: terminals and UTF-16 are full of control characters
import { createRequire } from 'node:module';
import { originalView, rewritten, utf8, type View, viewOf } from './views.ts';

/**
 * Invisible characters that may be anywhere in a secret: NUL (every second byte of UTF-16), soft hyphens, zero-width spaces, the
 * colours and links of a terminal.
 */
const unseen =
  /\0|\xc2\xad|\xe2\x80[\x8b-\x8d]|\xef\xbb\xbf|\x1b\[[\d;:?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)/g;
const lineBreaks = /[\r\n]+(?: {2,}|\t+)?/g;
/** In LDIF and mail headers, a line that begins with a blank continues the line before. Form encoding writes the blank as `+`. */
const folds = /[\r\n]+[ +]/g;
const someFold = /[\r\n][ +][^ +]/;
const nothing = () => '';

const seen = (view: View) => rewritten(view, unseen, nothing);

export const readable = (text: string, mostPieces = Number.POSITIVE_INFINITY) => seen(originalView(text, mostPieces));

/** A text as if it were one line. Invisible sequences are removed again, because a line break may have split one. */
const inOneLine = (view: View) => seen(rewritten(view, lineBreaks, nothing));

/**
 * A text as one line. A blank at the beginning of a line may be part of the text, or may only show that the line continues the line before.
 * The second view, if any, omits these blanks.
 */
export function linesOf(view: View): readonly [View, ...View[]] {
  const line = inOneLine(view);
  return someFold.test(view.text) ? [line, inOneLine(rewritten(view, folds, nothing))] : [line];
}

const require = createRequire(import.meta.url);

/** Decodes the parts of a text that have one kind of encoding. Returns the same view if there are no such parts. */
type Step = (view: View) => View;

const byte = (digits: string) => String.fromCharCode(Number.parseInt(digits, 16));
const controls: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };

/**
 * Escapes of JSON, JavaScript, C, URLs, HTML, CSV and SQL. A string in a string has its backslashes doubled, so any number of
 * backslashes counts as one.
 */
const escapes =
  /\\+(?:u(d[89ab][\da-f]{2})\\+u(d[c-f][\da-f]{2})|u([\da-f]{4})|u\\*\{([\da-f]{1,6})\\*\}|x([\da-f]{2})|([0-3][0-7]{2})|([bfnrtv]))|\\+|%([\da-f]{2})|(&(?:#(?:\d{1,20}|x[\da-f]{1,20});?|[a-z][a-z\d]{1,20};))|(""|'')/gi;

function unescaped(...match: (string | undefined)[]): string {
  const [, high, low, unit, point, hex, octal, control, percent, entity, quote] = match;
  if (quote) return quote.charAt(0);
  if (entity) return fromHtml(entity.endsWith(';') ? entity : `${entity};`);
  if (control) return controls[control.toLowerCase()] ?? '';
  if (hex || percent) return byte((hex ?? percent) as string);
  if (octal) return String.fromCharCode(Number.parseInt(octal, 8));
  if (point) return fromHtml(`&#x${point};`);
  const units = [high ?? unit, low].filter((each) => each !== undefined);
  return utf8(String.fromCharCode(...units.map((each) => Number.parseInt(each, 16))));
}

let decodeHtml: typeof import('entities/decode').decodeHTMLStrict | undefined;

/** Decodes an HTML entity. The table of 2,000 names is loaded with the first entity, because most processes meet none. */
function fromHtml(entity: string): string {
  decodeHtml ??= (require('entities/decode') as typeof import('entities/decode')).decodeHTMLStrict;
  const text = decodeHtml(entity);
  // Names of HTML entities depend on case, but the search ignores case, so an unknown name is tried in small letters. Of the names of ASCII
  // characters, only `&Hat;` and `&Tab;` have a capital.
  const usual = entity.toLowerCase().replace('&hat;', '&Hat;').replace('&tab;', '&Tab;');
  return utf8(text === entity ? decodeHtml(usual) : text);
}

/**
 * Decode escapes, quoted-printable, and tags. Secrets are decoded in the same way, because some look as if they contained escapes or tags.
 */
export const inText: readonly Step[] = [
  (view) => rewritten(view, escapes, unescaped),
  (view) => rewritten(view, /=([\da-f]{2})|=[\r\n]+/gi, (_, digits) => (digits ? byte(digits) : '')),
  (view) => rewritten(view, /<[a-z/!?][^<>]*>/gi, nothing),
];

const decoded = (digits: string, encoding: 'hex' | 'base64') => Buffer.from(digits, encoding).toString('latin1');

/**
 * Returns a step that decodes runs of bytes with separators. `digits` is the pattern of one byte; `before` and `after` are patterns of the
 * text around it.
 */
function bytesIn(before: string, digits: string, after: string, read: (digits: string) => string): Step {
  const [byte, next] = [`(?:${before})?${digits}`, `(?:${after})`];
  // A text is decoded only if it has at least eight encoded bytes in a row, because no secret is shorter.
  const some = new RegExp(`${byte}(?:${next}${byte}){7}`, 'i');
  // The mask begins at the digits of the first byte. If the mask also covered the text before these digits, a part of an escape could
  // remain.
  const runs = new RegExp(`${digits}(?:${next}${byte}){7,}`, 'gi');
  const each = new RegExp(`(?:${before})?(${digits})${next}?`, 'gi');
  return (view) =>
    some.test(view.text) ? rewritten(view, each, (whole, digits = '') => read(digits) || whole, runs) : view;
}

const asNumber = (digits: string) => (Number(digits) < 256 ? String.fromCharCode(Number(digits)) : '');
/** At least 16 digits. They are written out, because V8 then skips text without such runs faster than with `{16,}`. */
const digits = new RegExp(`${'[\\da-f]'.repeat(16)}+`, 'gi');

/** Decode bytes that are written as numbers. The pattern `[ +]` is a blank, because form encoding writes blanks as `+`. */
export const inBytes: readonly Step[] = [
  // Decimal bytes: a Buffer or a typed array in JSON, or bytes as Go prints them.
  bytesIn('"\\d{1,9}":[ +]{0,20}', '\\d{1,3}', ',[ +]{0,20}|[ +]', asNumber),
  // Hexadecimal bytes as Node prints a Buffer, or with the separators of other programs.
  bytesIn('0x', '[\\da-f]{2}', '[ +:,._-]{1,2}', byte),
  (view) => rewritten(view, digits, (run) => decoded(run, 'hex')),
];

/**
 * `base64` matches runs of characters that may be base64 of at least eight bytes. `textInBase64` finds out whether the bytes of such a run
 * may be text: wherever a text of eight bytes begins, it fills two groups of three bytes, so the run must contain two successive groups
 * that look like text.
 */
const base64 = /[\w+/-]{11,}/g;
const textInBase64 = /(?:[ACDGI-Za-f][A-HQ-Xg-nw-z0-3][ABEFIJMNQRUVYZcdghklopstwx014589][\w+/-]){2}/;

/** Separates decoded texts that aren't adjacent. No decoded text contains this character. */
const BETWEEN = '\x01';

const fromBase64: Step = (view) => {
  if (!textInBase64.test(view.text)) return view;
  const runs = Array.from(view.text.matchAll(base64)).filter(([run]) => textInBase64.test(run));
  // Characters before a base64 value (a slash, a prefix) may look like a part of the value, so decoding starts at each of the first four
  // characters.
  const pieces = runs.flatMap(({ 0: run, index }) =>
    [0, 1, 2, 3].flatMap((skipped) => {
      const bytes = Buffer.from(run.slice(skipped), 'base64');
      return textsIn(bytes).flatMap(([from, to]) => {
        const [start, end] = [index + skipped + (from * 4) / 3, index + skipped + (to * 4) / 3];
        return [
          { start, end, text: bytes.toString('latin1', from, to) },
          { start: end, end, text: BETWEEN },
        ];
      });
    }),
  );
  return pieces.length > 0 ? viewOf(view, pieces) : view;
};

/**
 * The stretches of at least eight bytes that may be text in UTF-8 or UTF-16. Most decoded bytes are no text, because decoding
 * began at the wrong character, or because they belong to a picture.
 */
function textsIn(bytes: Buffer): [from: number, to: number][] {
  const found: [number, number][] = [];
  let from = 0;
  for (let at = 0; at <= bytes.length; ) {
    const length = characterAt(bytes, at);
    at += length || 1;
    if (length > 0) continue;
    if (at - 1 - from >= 8) found.push([from, at - 1]);
    from = at;
  }
  return found;
}

/** The number of bytes of the character that begins at `at`; 0 if no character begins there. */
function characterAt(bytes: Buffer, at: number): number {
  const first = bytes[at] ?? 1;
  if (first < 0x80) return first >= 0x20 || [0x00, 0x07, 0x09, 0x0a, 0x0d, 0x1b].includes(first) ? 1 : 0;
  const length = first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
  for (let next = 1; next < length; next++) if (((bytes[at + next] ?? 0) & 0xc0) !== 0x80) return 0;
  return length;
}

/**
 * The steps for all encodings of bytes. Base64 inside another encoding isn't decoded, because the search knows the base64 spellings of
 * secrets.
 */
export const inAnyBytes = [...inBytes, fromBase64];

/** Applies each of `steps` to `view`. Yields the views of the steps that decoded something. */
export function* readAgain(view: View, steps: readonly Step[]): Generator<View> {
  for (const step of steps) {
    const read = step(view);
    if (read !== view) yield seen(read);
  }
}
