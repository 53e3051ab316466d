import { deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';

/** A way in which software writes a text that it repeats. */
export interface SecretForm {
  readonly name: string;
  readonly encode: (text: string) => string;
  /** Packs bytes into an alphabet; redaction unpacks these in one another to a depth of three. */
  readonly isPacking?: true;
  /** The text can't be had back from it, so only what is not packed before may be written so. */
  readonly isLossy?: true;
}

const codes = (text: string) => [...Buffer.from(text, 'latin1')];
const hex = (code: number, width = 2) => code.toString(16).padStart(width, '0').toUpperCase();
const each = (write: (code: number) => string) => (text: string) => codes(text).map(write).join('');
const base64 = (text: string, encoding: BufferEncoding = 'latin1') => Buffer.from(text, encoding).toString('base64');

const htmlNames: Readonly<Record<string, string>> = Object.fromEntries(
  '&amp <lt >gt "quot \'apos +plus /sol =equals :colon %percnt \\bsol ?quest ,comma .period !excl (lpar )rpar'
    .split(' ')
    .map((each) => [each.charAt(0), each.slice(1)]),
);

const compressed = (compress: (bytes: Buffer) => Buffer, encoding: BufferEncoding) => (text: string) =>
  compress(Buffer.from(text, 'latin1')).toString(encoding);

/** What stands between pieces of some characters. */
const pieces =
  (between: string, length = 7) =>
  (text: string) =>
    (text.match(new RegExp(`[^]{1,${length}}`, 'g')) ?? []).join(between);

/** One text with each of `characters` and no other written by `write`. */
const only = (characters: RegExp, write: (code: number) => string) => (text: string) =>
  text.replace(characters, (character) => write(character.charCodeAt(0)));

/**
 * Every form in which a service may repeat a credential, and in which none may be found in an artifact. The tests of the redactor
 * try each, alone and within each other; the canary runs have a service say each of them in every place, and every byte of every
 * artifact is searched. A form that is added here is tried everywhere.
 */
export const secretForms: readonly SecretForm[] = [
  { name: 'as it is', encode: (text) => text },
  { name: 'JSON', encode: (text) => JSON.stringify(text).slice(1, -1) },
  { name: 'JSON, its slashes escaped', encode: (text) => JSON.stringify(text).slice(1, -1).replaceAll('/', '\\/') },
  { name: 'JSON of .NET and Go', encode: only(/[+<>&'"\\]/g, (code) => `\\u${hex(code, 4)}`) },
  {
    name: 'JSON of .NET and Go in lower case',
    encode: only(/[+<>&'"\\]/g, (code) => `\\u${hex(code, 4).toLowerCase()}`),
  },
  { name: 'JSON, every character escaped', encode: each((code) => `\\u${hex(code, 4)}`) },
  { name: 'JavaScript \\x', encode: each((code) => `\\x${hex(code)}`) },
  { name: 'JavaScript \\u{}', encode: each((code) => `\\u{${hex(code)}}`) },
  { name: 'octal', encode: each((code) => `\\${code.toString(8).padStart(3, '0')}`) },
  { name: 'percent', encode: encodeURIComponent },
  {
    name: 'percent in lower case',
    encode: (text) => encodeURIComponent(text).replace(/%../g, (code) => code.toLowerCase()),
  },
  { name: 'percent, every character', encode: each((code) => `%${hex(code)}`) },
  { name: 'percent-u', encode: each((code) => `%u${hex(code, 4)}`) },
  { name: 'form', encode: (text) => encodeURIComponent(text).replaceAll('%20', '+') },
  { name: 'HTML, names', encode: (text) => text.replace(/\W/g, (c) => (htmlNames[c] ? `&${htmlNames[c]};` : c)) },
  { name: 'HTML, decimal', encode: each((code) => `&#${code};`) },
  { name: 'HTML, hexadecimal', encode: each((code) => `&#x${hex(code)};`) },
  { name: 'HTML, hexadecimal with zeros', encode: each((code) => `&#x${hex(code, 6).toLowerCase()};`) },
  { name: 'HTML, decimal with zeros', encode: each((code) => `&#${String(code).padStart(14, '0')};`) },
  { name: 'Perl \\x{}', encode: each((code) => `\\x{${hex(code)}}`) },
  { name: 'quoted-printable', encode: only(/[^\w.-]/g, (code) => `=${hex(code)}`) },
  { name: 'quoted-printable, every character', encode: each((code) => `=${hex(code)}`) },
  {
    name: 'quoted-printable, in lines',
    encode: (text) => text.replaceAll('=', '=3D').replace(/(?:=..|.){6}(?=.)/g, '$&=\r\n'),
  },
  { name: 'upper case', encode: (text) => text.toUpperCase() },
  { name: 'lower case', encode: (text) => text.toLowerCase() },
  { name: 'UTF-16', encode: (text) => Buffer.from(text, 'utf16le').toString('latin1') },
  { name: 'UTF-16, big-endian', encode: (text) => Buffer.from(text, 'utf16le').swap16().toString('latin1') },
  { name: 'UTF-16 with its mark', encode: (text) => `\u00ff\u00fe${Buffer.from(text, 'utf16le').toString('latin1')}` },
  { name: 'base64', encode: (text) => base64(text), isPacking: true },
  { name: 'base64url', encode: (text) => Buffer.from(text, 'latin1').toString('base64url'), isPacking: true },
  { name: 'base64 behind one byte', encode: (text) => base64(`:${text}`), isPacking: true },
  { name: 'base64 behind two bytes', encode: (text) => base64(`a:${text}`), isPacking: true },
  { name: 'base64 in the middle', encode: (text) => base64(`user:${text}:and more`), isPacking: true },
  {
    name: 'base64 behind what looks like it',
    encode: (text) => `abc/${base64(`{"token":"${text}"}`)}`,
    isPacking: true,
  },
  { name: 'base64 in lines', encode: (text) => base64(text).replace(/.{20}(?=.)/g, '$&\r\n'), isPacking: true },
  { name: 'base64 in another case', encode: (text) => base64(text).toLowerCase(), isPacking: true, isLossy: true },
  { name: 'hexadecimal', encode: (text) => Buffer.from(text, 'latin1').toString('hex'), isPacking: true },
  { name: 'hexadecimal in upper case', encode: each((code) => hex(code)), isPacking: true },
  { name: 'gzip in base64', encode: compressed(gzipSync, 'base64'), isPacking: true },
  { name: 'zlib in base64', encode: compressed(deflateSync, 'base64'), isPacking: true },
  { name: 'Zstandard in base64', encode: compressed(zstdCompressSync, 'base64'), isPacking: true },
];

/**
 * Forms that are masked where each is the only one, or the outermost, or in a JSON string; with other forms around them, one can't tell
 * what is a part of the text and what isn't.
 */
export const looseForms: readonly SecretForm[] = [
  { name: 'in lines', encode: pieces('\r\n  ') },
  { name: 'in lines of a comment', encode: pieces('\n# ') },
  { name: 'with blanks', encode: pieces(' ', 4) },
  { name: 'with hyphens', encode: pieces(' - ', 1) },
  { name: 'joined', encode: pieces('" + "') },
  { name: 'with tags', encode: pieces('</b><b class="x">') },
  { name: 'with CDATA', encode: pieces(']]><![CDATA[') },
  { name: 'with colours of a terminal', encode: pieces('\x1b[0;31m') },
  { name: 'with a link of a terminal', encode: pieces('\x1b]8;;http://a/\x07') },
  { name: 'with soft hyphens', encode: pieces('\u00ad', 4) },
  { name: 'with zero-width blanks', encode: pieces('\u200b', 1) },
  { name: 'with invisible plus signs', encode: pieces('\u2064', 1) },
  { name: 'full-width letters', encode: only(/[!-~]/g, (code) => String.fromCharCode(code + 0xfee0)) },
  { name: 'HTML without semicolons', encode: each((code) => `&#${code}`) },
  { name: 'HTML, hexadecimal without semicolons', encode: each((code) => `&#x${hex(code)}`) },
  { name: 'CSS', encode: each((code) => `\\${hex(code, 0)} `) },
  { name: 'CSS of six digits', encode: each((code) => `\\${hex(code, 6)}`) },
  { name: 'U+', encode: each((code) => `U+${hex(code, 4)} `) },
  {
    name: 'percent of overlong UTF-8',
    encode: each((code) => `%${hex(0xc0 | (code >> 6))}%${hex(0x80 | (code & 0x3f))}`),
  },
  {
    name: 'percent of overlong UTF-8, three bytes',
    encode: each((code) => `%E0%${hex(0x80 | (code >> 6))}%${hex(0x80 | (code & 0x3f))}`),
  },
  { name: 'gzip in hexadecimal', encode: compressed(gzipSync, 'hex') },
  { name: 'hexadecimal with blanks', encode: each((code) => `${hex(code)} `) },
  { name: 'hexadecimal with colons', encode: each((code) => `${hex(code)}:`) },
  { name: 'hexadecimal with 0x', encode: each((code) => `0x${hex(code)}, `) },
  { name: 'hexadecimal in words', encode: (text) => pieces(' ', 4)(Buffer.from(text, 'latin1').toString('hex')) },
  { name: 'hexadecimal in lines', encode: (text) => pieces('\r\n', 16)(Buffer.from(text, 'latin1').toString('hex')) },
  { name: 'base64 with blanks', encode: (text) => pieces(' ', 10)(base64(text)) },
  { name: 'base64, joined', encode: (text) => pieces('" + "', 10)(base64(text)) },
  { name: 'base64 in lines of a comment', encode: (text) => pieces('\n# ', 20)(base64(text)) },
];

/** Every form, and every form within every other that redaction promises to see. */
export function formChains(): SecretForm[][] {
  const pairs = secretForms.flatMap((inner) => secretForms.map((outer) => [inner, outer]));
  return [...secretForms.map((form) => [form]), ...pairs].filter(isPromised);
}

/** Redaction unpacks three times, what is packed can't be read in another case, and base64 in another case is only known by heart. */
export function isPromised(chain: readonly SecretForm[]): boolean {
  const packed = chain.flatMap(({ isPacking }, index) => (isPacking ? index : []));
  const changed = chain.findLastIndex(({ name }) => /^(upper|lower) case$/.test(name));
  const lossy = chain.findIndex(({ isLossy }) => isLossy);
  const isReadable = changed === -1 || packed.every((index) => index > changed);
  return packed.length <= 3 && isReadable && (lossy === -1 || (lossy === 0 && packed.length === 1));
}

/** `text` written in each form in turn, the first one innermost. */
export function encodeAll(text: string, chain: readonly SecretForm[]): string {
  return chain.reduce((written, { encode }) => encode(written), text);
}

export function chainName(chain: readonly SecretForm[]): string {
  return chain.map(({ name }) => name).join(' → ');
}
