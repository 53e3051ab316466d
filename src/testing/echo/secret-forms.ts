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

const htmlNames: Readonly<Record<string, string>> = {
  ...{
    '&': 'amp',
    '<': 'lt',
    '>': 'gt',
    '"': 'quot',
    "'": 'apos',
    '+': 'plus',
    '/': 'sol',
    '=': 'equals',
    ':': 'colon',
  },
  ...{ '%': 'percnt', '\\': 'bsol', '?': 'quest', ',': 'comma', '.': 'period', '!': 'excl', '(': 'lpar', ')': 'rpar' },
};

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
