// biome-ignore-all lint/suspicious/noControlCharactersInRegex: terminals and UTF-16 are full of control characters
import { createRequire } from 'node:module';
import { originalView, rewritten, utf8, type View, viewOf } from './views.ts';

/**
 * What may stand anywhere in a secret and isn't seen: NUL (UTF-16 is full of these), soft hyphens, blanks without a
 * width, the colours and links of a terminal.
 */
const unseen =
  /\0|\xc2\xad|\xe2\x80[\x8b-\x8d]|\xef\xbb\xbf|\x1b\[[\d;:?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)/g;
const lineBreaks = /[\r\n]+(?: {2,}|\t+)?/g;
const nothing = () => '';

const seen = (view: View) => rewritten(view, unseen, nothing);

export const readable = (text: string) => seen(originalView(text));

/** A text as if it was one line. What isn't seen may have been in pieces, too. */
export const inOneLine = (view: View) => seen(rewritten(view, lineBreaks, nothing));

const require = createRequire(import.meta.url);

/** A way to read a text of which parts are written in another form; returns the same view where none are. */
type Step = (view: View) => View;

const byte = (digits: string) => String.fromCharCode(Number.parseInt(digits, 16));
const controls: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };

/**
 * Of JSON, JavaScript, URLs and HTML. A string in a string has its backslashes doubled, so any number of them counts
 * as one.
 */
const escapes =
  /\\+(?:u(d[89ab][\da-f]{2})\\+u(d[c-f][\da-f]{2})|u([\da-f]{4})|x([\da-f]{2})|([bfnrtv]))|\\+|%([\da-f]{2})|(&(?:#\d{1,20}|#x[\da-f]{1,20}|[a-z][a-z\d]{1,20});)/gi;

function unescaped(...match: (string | undefined)[]): string {
  const [, high, low, unit, hex, control, percent, entity] = match;
  if (entity) return fromHtml(entity);
  if (control) return controls[control.toLowerCase()] ?? '';
  if (hex || percent) return byte((hex ?? percent) as string);
  const units = [high ?? unit, low].filter((each) => each !== undefined);
  return utf8(String.fromCharCode(...units.map((each) => Number.parseInt(each, 16))));
}

let decodeHtml: typeof import('entities/decode').decodeHTMLStrict | undefined;

/** HTML has 2,000 names of characters; most processes meet none. */
function fromHtml(entity: string): string {
  decodeHtml ??= (require('entities/decode') as typeof import('entities/decode')).decodeHTMLStrict;
  const text = decodeHtml(entity);
  // In another case, a name is no entity to HTML. Of ASCII, `&Hat;` and `&Tab;` alone have a capital.
  const usual = entity.toLowerCase().replace('&hat;', '&Hat;').replace('&tab;', '&Tab;');
  return utf8(text === entity ? decodeHtml(usual) : text);
}

/** Escapes, quoted-printable, and tags: each can be undone in a secret, too, if it looks like having some. */
export const inText: readonly Step[] = [
  (view) => rewritten(view, escapes, unescaped),
  (view) => rewritten(view, /=([\da-f]{2})|=[\r\n]+/gi, (_, digits) => (digits ? byte(digits) : '')),
  (view) => rewritten(view, /<[a-z/!?][^<>]*>/gi, nothing),
];

const decoded = (digits: string, encoding: 'hex' | 'base64') => Buffer.from(digits, encoding).toString('latin1');

/** As Node prints a Buffer in JSON: as numbers. */
const someNumbers = /(?:, {0,20}\d{1,3}){7}/;
const number = /(\d{1,3})(?:, {0,20}|(?!\d))/g;
const asNumber = (whole: string, digits = '') => (Number(digits) < 256 ? String.fromCharCode(Number(digits)) : whole);

/** A Buffer as Node prints it, where a form has blanks as `+`; or hexadecimal. Fewer than eight bytes are no secret. */
const someDigits = /[\da-f +]{16}/i;
const pairs = /(?:[\da-f]{2}[ +]){7,}[\da-f]{2}|[\da-f]{16,}/gi;

const asBytes = (digits: string) => decoded(digits.replaceAll(/[ +]/g, ''), 'hex');

export const inBytes: readonly Step[] = [
  (view) => (someNumbers.test(view.text) ? rewritten(view, number, asNumber) : view),
  (view) => (someDigits.test(view.text) ? rewritten(view, pairs, asBytes) : view),
];

/** Base64 of as many bytes; and two groups of its digits whose six bytes may be text: eight bytes of text have some. */
const base64 = /[\w+/-]{11,}/g;
const textInBase64 = /(?:[ACDGI-Za-f][A-HQ-Xg-nw-z0-3][ABEFIJMNQRUVYZcdghklopstwx014589][\w+/-]){2}/;

const fromBase64: Step = (view) => {
  if (!textInBase64.test(view.text)) return view;
  const runs = Array.from(view.text.matchAll(base64)).filter(([run]) => textInBase64.test(run));
  // Characters before a value (a slash, a prefix) may look like its beginning, so decoding starts at each of the first
  // four characters.
  const pieces = runs.flatMap(({ 0: run, index }) =>
    [0, 1, 2, 3].map((skipped) => {
      const [start, text] = [index + skipped, decoded(run.slice(skipped), 'base64')];
      return { start, end: start + (text.length * 4) / 3, text };
    }),
  );
  return viewOf(view, pieces);
};

/** Readings of a text's bytes. Base64 is decoded unless it is inside another form: the base64 of secrets is known. */
export const inAnyBytes = [...inBytes, fromBase64];

/** `view` read once more, in each of `steps`. */
export function* readAgain(view: View, steps: readonly Step[]): Generator<View> {
  for (const step of steps) {
    const read = step(view);
    if (read !== view) yield seen(read);
  }
}
