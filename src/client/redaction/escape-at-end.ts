/** Characters that escapes are made of. */
export const BACKSLASH = 0x5c;
export const PERCENT = 0x25;
export const EQUALS = 0x3d;
const AMPERSAND = 0x26;
const SEMICOLON = 0x3b;
const [OPENING_BRACE, CLOSING_BRACE] = [0x7b, 0x7d];
const [LOWER_U, LOWER_X] = [0x75, 0x78];

/** `%u002B`, and some backslashes. One that is closed, like `&#x0000002B;`, may be of any length. */
export const LONGEST_ESCAPE = 12;

/** The text doesn't end in an escape. */
export const NONE = 0;

/** The entities of the printable ASCII characters, by their names in lower case. */
const entities: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", plus: '+', sol: '/', bsol: '\\', equals: '=', num: '#' },
  ...{ excl: '!', dollar: '$', percnt: '%', lpar: '(', rpar: ')', ast: '*', midast: '*', comma: ',', period: '.' },
  ...{ colon: ':', semi: ';', quest: '?', commat: '@', lsqb: '[', lbrack: '[', rsqb: ']', rbrack: ']', hat: '^' },
  ...{ lowbar: '_', underbar: '_', grave: '`', lcub: '{', lbrace: '{', rcub: '}', rbrace: '}', verbar: '|', vert: '|' },
  ...{ newline: '\n', tab: '\t', nbsp: ' ' },
};

/** The value of a hexadecimal digit, or -1, by its character. */
const digits = Int8Array.from({ length: 256 }, (_, code) =>
  '0123456789abcdef'.indexOf(String.fromCharCode(code).toLowerCase()),
);

/** In `endsEscape`: the escape may be of any length. */
export const CLOSES = 2;

/** The characters that an escape can begin with, and those that it can end in. */
export const beginsEscape = digits.map((_, code) => ([BACKSLASH, PERCENT, AMPERSAND, EQUALS].includes(code) ? 1 : 0));
export const endsEscape = digits.map((value, code) =>
  code === SEMICOLON || code === CLOSING_BRACE ? CLOSES : Number(value !== -1),
);
const isInEntity = digits.map((_, code) => Number(/[#\da-z]/i.test(String.fromCharCode(code))));

/** The escape that ends at `length`: its length × 256 + its character (the last byte of it), or `NONE`. */
export function escapeAtEnd(bytes: Uint8Array, length: number, quotedPrintable: boolean): number {
  const last = bytes[length - 1] as number;
  if (last === SEMICOLON) return endsInEntity(bytes, length);
  if (last === CLOSING_BRACE) return endsInBraces(bytes, length);
  if (!isDigits(bytes, length - 2, length)) return NONE;
  const introducer = bytes[length - 3];
  if (introducer === PERCENT || (quotedPrintable && introducer === EQUALS)) return (3 << 8) | byteBefore(bytes, length);
  if (bytes[length - 4] === BACKSLASH) return endsInBackslashEscape(bytes, length);
  const isUnicode = bytes[length - 6] === BACKSLASH || bytes[length - 6] === PERCENT;
  if (!isUnicode || !isLetter(bytes[length - 5], LOWER_U) || !isDigits(bytes, length - 4, length - 2)) return NONE;
  return (6 << 8) | byteBefore(bytes, length);
}

/** `\x2B`, `\053` */
function endsInBackslashEscape(bytes: Uint8Array, length: number): number {
  if (isLetter(bytes[length - 3], LOWER_X)) return (4 << 8) | byteBefore(bytes, length);
  let code = 0;
  for (let index = length - 3; index < length; index++) {
    const digit = (bytes[index] as number) - 0x30;
    if (digit < 0 || digit > 7) return NONE;
    code = code * 8 + digit;
  }
  return code > 0xff ? NONE : (4 << 8) | code;
}

function endsInEntity(bytes: Uint8Array, length: number): number {
  let start = length - 2;
  while (start >= 0 && isInEntity[bytes[start] as number]) start--;
  if (bytes[start] !== AMPERSAND) return NONE;
  const name = Buffer.from(bytes.buffer, bytes.byteOffset + start + 1, length - start - 2)
    .toString('latin1')
    .toLowerCase();
  const [, hexadecimal, decimal] = /^#(?:x([0-9a-f]+)|(\d+))$/.exec(name) ?? [];
  const named = Object.hasOwn(entities, name) ? entities[name]?.charCodeAt(0) : undefined;
  const code = hexadecimal ? Number.parseInt(hexadecimal, 16) : decimal ? Number(decimal) : named;
  return code === undefined ? NONE : ((length - start) << 8) | (code & 0xff);
}

/** `\u{2B}`, `\x{2B}` */
function endsInBraces(bytes: Uint8Array, length: number): number {
  let start = length - 2;
  let code = 0;
  for (let shift = 0; start >= 0 && digits[bytes[start] as number] !== -1; start--) {
    if (shift < 8) code |= (digits[bytes[start] as number] as number) << shift;
    shift += 4;
  }
  const hasLetter = isLetter(bytes[start - 1], LOWER_U) || isLetter(bytes[start - 1], LOWER_X);
  const isEscape = bytes[start] === OPENING_BRACE && hasLetter && bytes[start - 2] === BACKSLASH;
  return isEscape ? ((length - start + 2) << 8) | (code & 0xff) : NONE;
}

function isDigits(bytes: Uint8Array, from: number, until: number): boolean {
  for (let index = from; index < until; index++) if (digits[bytes[index] as number] === -1) return false;
  return true;
}

function byteBefore(bytes: Uint8Array, end: number): number {
  return (digits[bytes[end - 2] as number] as number) * 16 + (digits[bytes[end - 1] as number] as number);
}

function isLetter(code: number | undefined, letter: number): boolean {
  return code !== undefined && (code | 0x20) === letter;
}

/**
 * A character of overlong UTF-8 with one byte less: `C1 B4` is `t`, as some readers have it, and `E0 81` begins what `C1` does.
 * `undefined` if the two bytes are anything else.
 */
export function shortened(lead: number | undefined, byte: number): number | undefined {
  if (lead === 0xc0 || lead === 0xc1) return (byte & 0xc0) === 0x80 ? ((lead & 1) << 6) | (byte & 0x3f) : undefined;
  if (lead === 0xe0) return (byte & 0xfe) === 0x80 ? 0xc0 | (byte & 1) : undefined;
  return lead === 0xf0 && byte === 0x80 ? 0xe0 : undefined;
}
