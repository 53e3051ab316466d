import { type Read, rewritten, type View } from './views.ts';

/** The letters and digits of a text alone, in lower case: they stay the same however it is wrapped, quoted, joined, or drawn out. */
export const lettersOf = (text: string) => text.toLowerCase().replace(notLetters, '');
const notLetters = /[^\da-z]+/gi;

/** The commands of a terminal: control sequences, and strings that BEL or ST ends. */
const [ESC, BEL] = [String.fromCharCode(0x1b), String.fromCharCode(0x07)];
const commands = `${ESC}\\[[\\d;:?]*[ -/]*[@-~]|${ESC}\\][^${BEL}${ESC}]*(?:${BEL}|${ESC}\\\\)`;
const markup = new RegExp(`<!\\[cdata\\[|\\]\\]>|<[a-z/!?][^<>]*>|${commands}`, 'gi');

/** A secret that looks like having tags is read without them, too. */
export const withoutMarkup = (text: string) => text.replace(markup, '');

/** What a text may have: the letters of a secret, as many hexadecimal digits, a tag or a command of a terminal, an escape. */
const [LETTERS, DIGITS, MARKUP, ESCAPE] = [0x100, 0x200, 0x40, 0x80];

/** Ways to read a text that would spoil other readings of it, and what only texts have that are worth reading so. */
const readings: readonly { readonly of: number; readonly pattern: RegExp; readonly read: Read }[] = [
  { of: MARKUP, pattern: markup, read: '' },
  {
    // CSS, HTML without semicolons, and what people write.
    of: ESCAPE,
    pattern: /(?:\\|&#x|u[+ ])0*([2-7][\da-f])[ ;,\n]?|&#0*(\d{2,3});?/gi,
    read: (_, hexadecimal, decimal) =>
      String.fromCharCode((hexadecimal ? Number.parseInt(hexadecimal, 16) : Number(decimal)) & 0xff),
  },
  {
    of: DIGITS,
    pattern: /(?<![\da-z])(?:0x)?((?:[\da-f]{2})+)(?![\da-z])/gi,
    read: (_, digits = '') => Buffer.from(digits, 'hex').toString('latin1'),
  },
];

/** The letters and digits of a text in each way of reading it in which it may hold a secret's. */
export function* letterViews(view: View, glance: Glance): Generator<View> {
  const may = glance.mayHold(view.text);
  if (may & LETTERS) yield rewritten(view, notLetters, '');
  for (const { of, pattern, read } of readings) {
    const other = may & of ? rewritten(view, pattern, read) : view;
    if (other !== view && glance.mayHold(other.text) & LETTERS) yield rewritten(other, notLetters, '');
  }
}

/** For each character: 1 to 36 for a digit or letter, in any case, of which the first sixteen are hexadecimal; 0 for anything else. */
const letterOf = Uint8Array.from(
  { length: 256 },
  (_, code) => '0123456789abcdefghijklmnopqrstuvwxyz'.indexOf(String.fromCharCode(code).toLowerCase()) + 1,
);
for (const character of '<\x1b') letterOf[character.charCodeAt(0)] = MARKUP;
for (const character of '\\&+') letterOf[character.charCodeAt(0)] = ESCAPE;

/** 2^15 marks, one for each three letters in a row. */
const MARKS = 0x8000;
const next = (three: number, letter: number) => ((three << 5) ^ letter) & (MARKS - 1);

/** Marks: three letters in a row as in a secret, and as in hexadecimal. */
const [IN_SECRET, IN_HEXADECIMAL] = [1, 2];

/** The marks of three hexadecimal digits; `0x` may stand before each. */
const hexadecimal = new Uint8Array(MARKS);
const digits = [...'0123456789abcdefx'].map((digit) => letterOf[digit.charCodeAt(0)] as number);
for (const first of digits)
  for (const second of digits)
    for (const third of digits) hexadecimal[next(next(first, second), third)] = IN_HEXADECIMAL;

/** Whether a text may have the letters of one of some strings, one after the other: nearly every text is dismissed in one quick pass. */
export class Glance {
  readonly #marks = hexadecimal.slice();
  #inARow = Number.POSITIVE_INFINITY;
  #digits = Number.POSITIVE_INFINITY;

  /** So many digits in hexadecimal are worth reading. */
  add(strings: readonly string[], digits: number): void {
    this.#inARow = Math.min(this.#inARow, ...strings.map(({ length }) => length - 2));
    this.#digits = Math.min(this.#digits, digits - 2);
    for (const string of strings) {
      let three = 0;
      for (let index = 0; index < string.length; index++) {
        three = next(three, letterOf[string.charCodeAt(index)] as number);
        if (index > 1) this.#marks[three] = (this.#marks[three] as number) | IN_SECRET;
      }
    }
  }

  /** What a text may have, as a sum of `LETTERS` and others: 0 for most. */
  mayHold(text: string): number {
    const marks = this.#marks;
    const { length } = text;
    let [three, found] = [0, 0];
    let [inSecret, inHexadecimal] = [0, 0];
    for (let index = 0; index < length; index++) {
      const letter = letterOf[text.charCodeAt(index)] as number;
      if (letter === 0) continue;
      if (letter > 36) {
        found |= letter;
        continue;
      }
      three = next(three, letter);
      const mark = marks[three] as number;
      inSecret = mark & IN_SECRET ? inSecret + 1 : 0;
      inHexadecimal = mark & IN_HEXADECIMAL ? inHexadecimal + 1 : 0;
      if (inSecret >= this.#inARow) found |= LETTERS;
      if (inHexadecimal >= this.#digits) found |= DIGITS;
    }
    return found;
  }
}
