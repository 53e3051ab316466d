// biome-ignore-all lint/suspicious/noControlCharactersInRegex: terminals and UTF-16 are full of control characters
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

/** A way to read a text of which parts are written in another form; returns the same view where none are. */
type Step = (view: View) => View;

const byte = (digits: string) => String.fromCharCode(Number.parseInt(digits, 16));
const character = (code: number) => (code > 0x10_ffff ? '' : utf8(String.fromCodePoint(code)));
const controls: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };

/** The names by which encoders write characters of ASCII, and those of Latin 1 from U+00A0 on, in their order. */
const asciiNames =
  'amp& lt< gt> quot" apos\' plus+ sol/ bsol\\ equals= num# excl! dollar$ percnt% lpar( rpar) ast* midast* comma, ' +
  'period. colon: semi; quest? commat@ lsqb[ lbrack[ rsqb] rbrack] hat^ lowbar_ underbar_ grave` lcub{ lbrace{ ' +
  'rcub} rbrace} verbar| vert| newline\n tab\t euro€ bull• hellip… ndash– mdash— lsquo‘ rsquo’ ldquo“ rdquo” trade™';
const latinNames =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute ' +
  'micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig ' +
  'Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash ' +
  'Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ' +
  'ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc ' +
  'uuml yacute thorn yuml';
const entities = new Map([
  ...asciiNames.split(' ').map((pair): [string, string] => [pair.slice(0, -1), utf8(pair.slice(-1))]),
  ...latinNames.split(' ').map((name, index): [string, string] => [name, character(0xa0 + index)]),
]);

/**
 * Of JSON, JavaScript, URLs and HTML. A string in a string has its backslashes doubled, so any number of them counts
 * as one.
 */
const escapes =
  /\\+(?:u(d[89ab][\da-f]{2})\\+u(d[c-f][\da-f]{2})|u([\da-f]{4})|u\{([\da-f]{1,6})\}|x([\da-f]{2})|([bfnrtv]))|\\+|%u([\da-f]{4})|%([\da-f]{2})|&#x([\da-f]{1,20});|&#(\d{1,20});|&([a-z][a-z\d]{1,8});/gi;

function unescaped(...match: (string | undefined)[]): string {
  const [whole = '', high, low, unit, braced, hex, control, percentUnit, percent, hexadecimal, decimal, name] = match;
  if (high && low) return utf8(String.fromCharCode(Number.parseInt(high, 16), Number.parseInt(low, 16)));
  const code = unit ?? braced ?? percentUnit ?? hexadecimal;
  if (code) return character(Number.parseInt(code, 16));
  if (decimal) return character(Number(decimal));
  if (name) return entities.get(name) ?? entities.get(name.toLowerCase()) ?? whole;
  if (control) return controls[control.toLowerCase()] ?? '';
  return hex || percent ? byte((hex ?? percent) as string) : '';
}

/** Escapes, quoted-printable, and tags: each can be undone in a secret, too, if it looks like having some. */
const inText: readonly Step[] = [
  (view) => rewritten(view, escapes, unescaped),
  (view) => rewritten(view, /=([\da-f]{2})|=[\r\n]+/gi, (_, digits) => (digits ? byte(digits) : '')),
  (view) => rewritten(view, /<[a-z/!?][^<>]*>/gi, nothing),
];
const someInText = /[\\%&=<]/;

const decoded = (digits: string, encoding: 'hex' | 'base64') => Buffer.from(digits, encoding).toString('latin1');

/** As Node prints a Buffer in JSON: as numbers. */
const someNumbers = /(?:, {0,20}\d{1,3}){7}/;
const number = /(\d{1,3})(?:, {0,20}|(?!\d))/g;
const asNumber = (whole: string, digits = '') => (Number(digits) < 256 ? String.fromCharCode(Number(digits)) : whole);

/** A Buffer as Node prints it, where a form has blanks as `+`; or hexadecimal. Fewer than eight bytes are no secret. */
const someDigits = /[\da-f +]{16}/i;
const pairs = /(?:[\da-f]{2}[ +]){7,}[\da-f]{2}|[\da-f]{16,}/gi;

const asBytes = (digits: string) => decoded(digits.replaceAll(/[ +]/g, ''), 'hex');

const inBytes: readonly Step[] = [
  (view) => (someNumbers.test(view.text) ? rewritten(view, number, asNumber) : view),
  (view) => (someDigits.test(view.text) ? rewritten(view, pairs, asBytes) : view),
];

/** Base64 of as many bytes; and two groups of its digits whose six bytes may be text: eight bytes of text have some. */
const base64 = /[\w+/-]{11,}/g;
const textInBase64 = /(?:[ACDGI-Za-f][A-HQ-Xg-nw-z0-3][ABEFIJMNQRUVYZcdghklopstwx014589][\w+/-]){2}/;

/** Of bytes that text in UTF-8 may have, and the character behind them; and what shows that it is some. */
const stretches = /[\0\t\n\r\x1b -~\x80-\xbf\xc2-\xf4]+[\s\S]?/g;
const someText = /[\0\t\n\r\x1b -~]{6}/;

const fromBase64: Step = (view) => {
  if (!textInBase64.test(view.text)) return view;
  const runs = Array.from(view.text.matchAll(base64)).filter(([run]) => textInBase64.test(run));
  const pieces = runs.flatMap(({ 0: run, index }) =>
    // What stands before a value (a slash, a prefix) may look like its beginning, so it is read from each of its first
    // characters.
    [0, 1, 2, 3].flatMap((skipped) =>
      Array.from(decoded(run.slice(skipped), 'base64').matchAll(stretches))
        .filter(([text]) => someText.test(text))
        .map(({ 0: text, index: at }) => {
          const start = index + skipped + (at * 4) / 3;
          return { start, end: start + (text.length * 4) / 3, text };
        }),
    ),
  );
  return viewOf(view, pieces);
};

const inAnyBytes = [...inBytes, fromBase64];

/** `view` read once more, in each way in which it may be written: as a text in a text. */
export function* readAsText(view: View): Generator<View> {
  if (someInText.test(view.text)) yield* changed(view, inText);
}

/**
 * The same, as a text in bytes; base64 only where it isn't itself in another form: the spellings of secrets in that
 * are known.
 */
export const readAsBytes = (view: View, isOutermost: boolean) => changed(view, isOutermost ? inAnyBytes : inBytes);

function* changed(view: View, steps: readonly Step[]): Generator<View> {
  for (const step of steps) {
    const read = step(view);
    if (read !== view) yield seen(read);
  }
}
