import { characterOf, type Read, rewritten, type View } from './views.ts';

/** Stands for an escaped line break (`\n`, `\r`): base64 goes on behind it, and a secret may have a backslash and an `n`. */
const [ESCAPED_LF, ESCAPED_CR] = ['\x01', '\x02'];

/** Base64 goes on behind these. */
export const BREAKS = `\r\n${ESCAPED_LF}${ESCAPED_CR}`;

/** The entities of the printable ASCII characters, by their names in lower case. */
const entities: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", plus: '+', sol: '/', bsol: '\\', equals: '=', num: '#' },
  ...{ excl: '!', dollar: '$', percnt: '%', lpar: '(', rpar: ')', ast: '*', midast: '*', comma: ',', period: '.' },
  ...{ colon: ':', semi: ';', quest: '?', commat: '@', lsqb: '[', lbrack: '[', rsqb: ']', rbrack: ']', hat: '^' },
  ...{ lowbar: '_', underbar: '_', grave: '`', lcub: '{', lbrace: '{', rcub: '}', rbrace: '}', verbar: '|', vert: '|' },
  ...{ newline: '\n', tab: '\t', nbsp: ' ' },
};

const coded = (radix: number) => (digits: string) => characterOf(Number.parseInt(digits, radix));
const [octal, decimal, hexadecimal] = [coded(8), coded(10), coded(16)];

/** How an escape is written, and what its part in brackets stands for. */
type Rows = readonly (readonly [form: RegExp, read: (part: string) => string])[];

/** Behind backslashes: `\u002B`, `\u{2B}`, `\x{2B}`, `\x2B`, `\053`. */
const backslashed: Rows = [
  [/u([\da-f]{4})/, hexadecimal],
  [/[ux]\{([\da-f]+)\}/, hexadecimal],
  [/x([\da-f]{2})/, hexadecimal],
  [/([0-3][0-7]{2})/, octal],
];

const others: Rows = [
  [/%u([\da-f]{4})/, hexadecimal],
  // Overlong UTF-8, as some readers have it: `%C1%B4` and `%E0%81%B4` are `t`.
  [/%((?:e0%8|f0%80%8|c)[01]%[89ab][\da-f])/, overlong],
  [/%([\da-f]{2})/, hexadecimal],
  [/&#x([\da-f]+);/, hexadecimal],
  [/&#(\d+);/, decimal],
  [new RegExp(`&(${Object.keys(entities).join('|')});`), (name) => entities[name.toLowerCase()] ?? ''],
  // UTF-16 and UTF-32 are full of these.
  [/(\0)/, () => ''],
];

/** Quoted-printable: `=2B`, and a line that ends in `=`. Not by default, because `a=12` looks the same. */
const quotedPrintable: Rows = [...others, [/=([\da-f]{2})/, hexadecimal]];
const someQuotedPrintable = new RegExp(`=(?:[\\da-f]{2}|\\\\+[rn]|[${BREAKS}])`, 'i');
export const mayBeQuotedPrintable = (text: string) => someQuotedPrintable.test(text);
const softBreak = new RegExp(`=(?:\\\\+r|[\\r${ESCAPED_CR}])?(?:\\\\+n|[\\n${ESCAPED_LF}])`, 'gi');

function overlong(bytes: string): string {
  const [lead = 0, last = 0] = bytes
    .split('%')
    .slice(-2)
    .map((byte) => Number.parseInt(byte, 16));
  return String.fromCharCode(((lead & 1) << 6) | (last & 0x3f));
}

interface Table {
  readonly pattern: RegExp;
  readonly read: Read;
}

function tableOf(notBackslashed: Rows): Table {
  const rows = [...backslashed, ...notBackslashed];
  const sources = (of: Rows) => of.map(([{ source }]) => source).join('|');
  return {
    pattern: new RegExp(`(?<!\\\\)\\\\+(?:${sources(backslashed)})|${sources(notBackslashed)}`, 'gi'),
    read(match, ...parts) {
      const row = parts.findIndex((part) => part !== undefined);
      return '\\'.repeat(backslashesLeft(match.search(/[^\\]/))) + (rows[row]?.[1](parts[row] as string) ?? '');
    },
  };
}

/**
 * How many of the backslashes before `u002B` are literal. Of an odd number, all but the last, in pairs; an even number was doubled when the
 * escape itself was put into a string.
 */
function backslashesLeft(count: number): number {
  if (count === 0) return 0;
  return count % 2 === 1 ? (count - 1) / 2 : backslashesLeft(count / 2);
}

/** Each escape begins with one of these. */
const someEscape = /[\\%&=\0]/;

const tables = { plain: tableOf(others), quotedPrintable: tableOf(quotedPrintable) };

/**
 * A text with its escapes undone once, twice and so on, until none is left: each time what a reader of one more encoding has. Undoing all at
 * once could undo too much: `%%63%61`, where a secret begins with `ca`, becomes one character.
 */
export function* unescaped(source: View, kind: keyof typeof tables): Generator<View> {
  if (!someEscape.test(source.text)) return;
  const { pattern, read } = tables[kind];
  const first = withoutBackslashes(source);
  if (first !== source) yield first;
  // Escapes go on behind a line break, so lines are joined before.
  const joined = (view: View) => (kind === 'quotedPrintable' ? rewritten(view, softBreak, '') : view);
  const undone = (view: View) => rewritten(joined(view), pattern, read);
  for (let [view, inner] = [source, undone(source)]; inner !== view; [view, inner] = [inner, undone(inner)])
    yield withoutBackslashes(inner);
}

/** Without those that escape a single character. */
function withoutBackslashes(source: View): View {
  if (!source.text.includes('\\')) return source;
  const withBreaks = rewritten(rewritten(source, /(?<!\\)\\+n/gi, ESCAPED_LF), /(?<!\\)\\+r/gi, ESCAPED_CR);
  return rewritten(withBreaks, /\\+/g, '');
}

const escapedBreaks = new RegExp(`[${ESCAPED_LF}${ESCAPED_CR}]`, 'g');

/** Escaped line breaks as their letters: a secret has a backslash and an `n`, not a line break. */
export function withLetters(text: string): string {
  return text.replace(escapedBreaks, (character) => (character === ESCAPED_LF ? 'n' : 'r'));
}
