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
const base64 = (text: string) => Buffer.from(text, 'latin1').toString('base64');

const htmlNames: Readonly<Record<string, string>> = Object.fromEntries(
  '&amp <lt >gt "quot \'apos +plus /sol =equals :colon %percnt \\bsol ?quest ,comma .period !excl (lpar )rpar'
    .split(' ')
    .map((each) => [each.charAt(0), each.slice(1)]),
);

const compressed = (compress: (bytes: Buffer) => Buffer, encoding: BufferEncoding) => (text: string) =>
  compress(Buffer.from(text, 'latin1')).toString(encoding);

const pieces =
  (between: string, length = 7) =>
  (text: string) =>
    (text.match(new RegExp(`[^]{1,${length}}`, 'g')) ?? []).join(between);

/** One text with each of `characters` and no other written by `write`. */
const only = (characters: RegExp, write: (code: number) => string) => (text: string) =>
  text.replace(characters, (character) => write(character.charCodeAt(0)));

type Forms = Readonly<Record<string, SecretForm['encode']>>;

const formsOf = (forms: Forms, rest: Pick<SecretForm, 'isPacking'> = {}): SecretForm[] =>
  Object.entries(forms).map(([name, encode]) => ({ name, encode, ...rest }));

const written: Forms = {
  'as it is': (text) => text,
  JSON: (text) => JSON.stringify(text).slice(1, -1),
  'JSON, its slashes escaped': (text) => JSON.stringify(text).slice(1, -1).replaceAll('/', '\\/'),
  'JSON of .NET and Go': only(/[+<>&'"\\]/g, (code) => `\\u${hex(code, 4)}`),
  'JSON of .NET and Go in lower case': only(/[+<>&'"\\]/g, (code) => `\\u${hex(code, 4).toLowerCase()}`),
  'JSON, every character escaped': each((code) => `\\u${hex(code, 4)}`),
  'JavaScript \\x': each((code) => `\\x${hex(code)}`),
  'JavaScript \\u{}': each((code) => `\\u{${hex(code)}}`),
  octal: each((code) => `\\${code.toString(8).padStart(3, '0')}`),
  percent: encodeURIComponent,
  'percent in lower case': (text) => encodeURIComponent(text).replace(/%../g, (code) => code.toLowerCase()),
  'percent, every character': each((code) => `%${hex(code)}`),
  'percent-u': each((code) => `%u${hex(code, 4)}`),
  form: (text) => encodeURIComponent(text).replaceAll('%20', '+'),
  'HTML, names': (text) => text.replace(/\W/g, (c) => (htmlNames[c] ? `&${htmlNames[c]};` : c)),
  'HTML, decimal': each((code) => `&#${code};`),
  'HTML, hexadecimal': each((code) => `&#x${hex(code)};`),
  'HTML, hexadecimal with zeros': each((code) => `&#x${hex(code, 6).toLowerCase()};`),
  'HTML, decimal with zeros': each((code) => `&#${String(code).padStart(14, '0')};`),
  'Perl \\x{}': each((code) => `\\x{${hex(code)}}`),
  'quoted-printable': only(/[^\w.-]/g, (code) => `=${hex(code)}`),
  'quoted-printable, every character': each((code) => `=${hex(code)}`),
  'quoted-printable, in lines': (text) => text.replaceAll('=', '=3D').replace(/(?:=..|.){6}(?=.)/g, '$&=\r\n'),
  'upper case': (text) => text.toUpperCase(),
  'lower case': (text) => text.toLowerCase(),
  'UTF-16': (text) => Buffer.from(text, 'utf16le').toString('latin1'),
  'UTF-16, big-endian': (text) => Buffer.from(text, 'utf16le').swap16().toString('latin1'),
  'UTF-16 with its mark': (text) => `\u00ff\u00fe${Buffer.from(text, 'utf16le').toString('latin1')}`,
};

const packed: Forms = {
  base64: (text) => base64(text),
  base64url: (text) => Buffer.from(text, 'latin1').toString('base64url'),
  'base64 behind one byte': (text) => base64(`:${text}`),
  'base64 behind two bytes': (text) => base64(`a:${text}`),
  'base64 in the middle': (text) => base64(`user:${text}:and more`),
  'base64 behind what looks like it': (text) => `abc/${base64(`{"token":"${text}"}`)}`,
  'base64 in lines': (text) => base64(text).replace(/.{20}(?=.)/g, '$&\r\n'),
  hexadecimal: (text) => Buffer.from(text, 'latin1').toString('hex'),
  'hexadecimal in upper case': each((code) => hex(code)),
  'gzip in base64': compressed(gzipSync, 'base64'),
  'zlib in base64': compressed(deflateSync, 'base64'),
  'Zstandard in base64': compressed(zstdCompressSync, 'base64'),
};

/**
 * Every form in which a service may repeat a credential, and in which none may be found in an artifact. The tests of the redactor
 * try each, alone and within each other; the canary runs have a service say each of them in every place, and every byte of every
 * artifact is searched. A form that is added here is tried everywhere.
 */
export const secretForms: readonly SecretForm[] = [
  ...formsOf(written),
  ...formsOf(packed, { isPacking: true }),
  { name: 'base64 in another case', encode: (text) => base64(text).toLowerCase(), isPacking: true, isLossy: true },
];

/**
 * Forms that are masked where each is the only one, or the outermost, or in a JSON string; with other forms around them, one can't tell
 * what is a part of the text and what isn't.
 */
export const looseForms: readonly SecretForm[] = formsOf({
  'in lines': pieces('\r\n  '),
  'in lines of a comment': pieces('\n# '),
  'with blanks': pieces(' ', 4),
  'with hyphens': pieces(' - ', 1),
  joined: pieces('" + "'),
  'with tags': pieces('</b><b class="x">'),
  'with CDATA': pieces(']]><![CDATA['),
  'with colours of a terminal': pieces('\x1b[0;31m'),
  'with a link of a terminal': pieces('\x1b]8;;http://a/\x07'),
  'with soft hyphens': pieces('\u00ad', 4),
  'with zero-width blanks': pieces('\u200b', 1),
  'with invisible plus signs': pieces('\u2064', 1),
  'full-width letters': only(/[!-~]/g, (code) => String.fromCharCode(code + 0xfee0)),
  'HTML without semicolons': each((code) => `&#${code}`),
  'HTML, hexadecimal without semicolons': each((code) => `&#x${hex(code)}`),
  CSS: each((code) => `\\${hex(code, 0)} `),
  'CSS of six digits': each((code) => `\\${hex(code, 6)}`),
  'U+': each((code) => `U+${hex(code, 4)} `),
  'percent of overlong UTF-8': each((code) => `%${hex(0xc0 | (code >> 6))}%${hex(0x80 | (code & 0x3f))}`),
  'percent of overlong UTF-8, three bytes': each(
    (code) => `%E0%${hex(0x80 | (code >> 6))}%${hex(0x80 | (code & 0x3f))}`,
  ),
  'gzip in hexadecimal': compressed(gzipSync, 'hex'),
  'hexadecimal with blanks': each((code) => `${hex(code)} `),
  'hexadecimal with colons': each((code) => `${hex(code)}:`),
  'hexadecimal with 0x': each((code) => `0x${hex(code)}, `),
  'hexadecimal in words': (text) => pieces(' ', 4)(Buffer.from(text, 'latin1').toString('hex')),
  'hexadecimal in lines': (text) => pieces('\r\n', 16)(Buffer.from(text, 'latin1').toString('hex')),
  'base64 with blanks': (text) => pieces(' ', 10)(base64(text)),
  'base64, joined': (text) => pieces('" + "', 10)(base64(text)),
  'base64 in lines of a comment': (text) => pieces('\n# ', 20)(base64(text)),
});

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
