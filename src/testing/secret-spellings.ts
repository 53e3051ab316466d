import buffer from 'node:buffer';
import { inspect, styleText } from 'node:util';
import { gzipSync } from 'node:zlib';
import { encodeHTML, encodeXML, escapeUTF8 } from 'entities';
import { encode as quotedPrintable, wrap } from 'nodemailer/lib/qp';

/** Writes a text as software does. Node and libraries do the writing, so the functions share no code with the redactor under test. */
export type Write = (text: string) => string;

/** An example of each kind of secret. */
export const kindsOfSecret: Readonly<Record<string, string>> = {
  'opaque token': 'tok_live_8Fz3kQ9vXw2LmN7RbT5c',
  'API key': 'ak-4711+9d/e3f=~71a0',
  UUID: '3f1c9a52-7b0e-4d68-a9c4-5e2d81f7b036',
  'base64 key': Buffer.from('2c9f41d07ae85b36f1e04c8d97', 'latin1').toString('base64'),
  JWT: ['{"alg":"RS256","typ":"JWT"}', `{"sub":"${'ada/lovelace?'.repeat(22)}"}`, 'ÿ>~'.repeat(50)]
    .map((part) => Buffer.from(part).toString('base64url'))
    .join('.')
    .padEnd(800, 'Qx7-_Zk'),
  password: `Pass "wörd's" <é> & 100 € 日本`,
};

const codesOf = (text: string) => [...text].map((character) => character.codePointAt(0) as number);
const hex = (code: number, width = 2) => code.toString(16).padStart(width, '0');
const bytesOf = (text: string, write: (code: number) => string) => Array.from(Buffer.from(text), (code) => write(code));
const units = (text: string) => text.split('').map((unit) => `\\u${hex(unit.charCodeAt(0), 4)}`);
const json: Write = (text) => JSON.stringify(text).slice(1, -1);
const base64: Write = (text) => Buffer.from(text).toString('base64');
const hexadecimal: Write = (text) => Buffer.from(text).toString('hex');
const inPieces = (between: string, length: number) => (text: string) =>
  (text.match(new RegExp(`[\\s\\S]{1,${length}}`, 'gu')) ?? []).join(between);

function printed(text: string): string {
  const most = buffer.INSPECT_MAX_BYTES;
  buffer.INSPECT_MAX_BYTES = Number.POSITIVE_INFINITY;
  try {
    return inspect(Buffer.from(text));
  } finally {
    buffer.INSPECT_MAX_BYTES = most;
  }
}

/** Encodings in which the search for leaked secrets finds a secret, even if one encoding is inside another. */
export const spellings: Readonly<Record<string, Write>> = {
  'as it is': (text) => text,
  JSON: json,
  'JSON, its slashes escaped': (text) => json(text).replaceAll('/', '\\/'),
  'JSON of .NET and Go': (text) =>
    text.replace(/[^\w.~ -]/g, (unit) => units(unit).join('').toUpperCase().replaceAll('U', 'u')),
  'JSON, every character': (text) => units(text).join(''),
  percent: encodeURIComponent,
  'percent in lower case': (text) => encodeURIComponent(text).replace(/%../g, (code) => code.toLowerCase()),
  form: (text) => new URLSearchParams({ a: text }).toString().slice(2),
  'HTML, escaped': escapeUTF8,
  'HTML, names': encodeHTML,
  'HTML, numbers': (text) =>
    encodeXML(text.replace(/[+/=]/g, (character) => `&#${codesOf(character)};`)).replaceAll('&amp;#', '&#'),
  'HTML, every character': (text) =>
    codesOf(text)
      .map((code) => `&#x${hex(code)};`)
      .join(''),
  'HTML, numbers without a semicolon': (text) =>
    codesOf(text)
      .map((code) => `&#${code}`)
      .join(''),
  base64,
  'base64 behind one byte': (text) => base64(`:${text}`),
  'base64 in the middle': (text) => base64(`user:${text}:and more`),
  base64url: (text) => Buffer.from(text).toString('base64url'),
  hexadecimal,
  'hexadecimal with colons': (text) => bytesOf(text, (code) => hex(code)).join(':'),
  'hexadecimal with hyphens, in upper case': (text) => bytesOf(text, (code) => hex(code).toUpperCase()).join('-'),
  'hexadecimal with 0x': (text) => bytesOf(text, (code) => `0x${hex(code)}`).join(', '),
  '\\xHH': (text) => hexadecimal(text).replace(/../g, '\\x$&'),
  octal: (text) => bytesOf(text, (code) => `\\${code.toString(8).padStart(3, '0')}`).join(''),
  '\\u{H}': (text) =>
    codesOf(text)
      .map((code) => `\\u{${hex(code)}}`)
      .join(''),
  'quoted-printable': (text) => quotedPrintable(text),
  'upper case': (text) => text.toUpperCase(),
  'lower case': (text) => text.toLowerCase(),
  'doubled quotes of CSV': (text) => text.replaceAll('"', '""'),
  'doubled quotes of SQL': (text) => text.replaceAll("'", "''"),
  'backslashes before punctuation': (text) => text.replace(/[!-/:-@[-^`{-~]/g, '\\$&'),
  'a Buffer, printed': printed,
  'a Buffer in JSON': (text) => JSON.stringify(Buffer.from(text)),
  'a typed array in JSON': (text) => JSON.stringify(new Uint8Array(Buffer.from(text))),
  'bytes, printed by Go': (text) => `[${bytesOf(text, String).join(' ')}]`,
};

/** Ways to insert characters anywhere into a secret. A search finds the secret only if it ignores these characters. */
export const interrupted: Readonly<Record<string, Write>> = {
  'line breaks': inPieces('\r\n', 9),
  // If two blanks follow a line break, a search takes them for indentation and ignores both. So a blank of the text must not follow the
  // blank of the line break: it moves to the end of the line before.
  'lines that continue behind one blank': (text) => inPieces('\r\n ', 9)(text).replaceAll('\r\n  ', ' \r\n '),
  'lines of quoted-printable': (text) => wrap(quotedPrintable(text), 12),
  'soft hyphens': inPieces('\u00ad', 10),
  'terminal colours': (text) =>
    (text.match(/[\s\S]{1,7}/gu) ?? [])
      .map((piece, index) => styleText(index % 2 ? 'red' : 'inverse', piece, { validateStream: false }))
      .join(''),
  'HTML tags': inPieces('</b><b class="x">', 6),
};

/** Spellings that the redactor doesn't mask, because they are out of its scope. */
export const unmasked: Readonly<Record<string, Write>> = {
  'compressed, as base64': (text) => gzipSync(text).toString('base64'),
  reversed: (text) => [...text].reverse().join(''),
  'a part of it': (text) => text.slice(0, text.length / 2),
  'with other characters between': inPieces(' - ', 1),
  'in letters of full width': (text) =>
    text.replace(/[!-~]/g, (unit) => String.fromCharCode(unit.charCodeAt(0) + 0xfee0)),
};

/**
 * Pairs of spellings, one inside the other, that the redactor doesn't mask: line breaks at any place hide where the lines of
 * quoted-printable end.
 */
export const exceptions: readonly string[] = ['line breaks', 'lines that continue behind one blank'].map(
  (outer) => `lines of quoted-printable in ${outer}`,
);
