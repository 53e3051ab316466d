/** For each byte: 1 to 36 for a digit or letter, in any case, of which the first sixteen are hexadecimal; 0 for anything else. */
const letterOf = Uint8Array.from(
  { length: 256 },
  (_, code) => '0123456789abcdefghijklmnopqrstuvwxyz'.indexOf(String.fromCharCode(code).toLowerCase()) + 1,
);
/** What a text may have: the letters of a secret, as many hexadecimal digits, a tag or a command of a terminal, an escape. */
const [LETTERS, DIGITS, MARKUP, ESCAPE] = [0x100, 0x200, 0x40, 0x80];
for (const character of '<\x1b') letterOf[character.charCodeAt(0)] = MARKUP;
for (const character of '\\&+') letterOf[character.charCodeAt(0)] = ESCAPE;

interface Places {
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

/** The letters and digits of a text alone, in lower case: they stay the same however it is wrapped, quoted, joined, or drawn out. */
export const lettersOf = (text: string) => text.toLowerCase().replace(/[^\da-z]+/g, '');

/** Where each of them is. */
function indexesOf(text: string): number[] {
  return Array.from(text.matchAll(/[\da-z]/g), ({ index }) => index);
}

/** 2^15 marks, one for each three letters in a row. */
const MARKS = 0x8000;

/**
 * Two counters in one number, and what keeps each: how many letters before this one are a row as in a secret, and how many are a row of
 * hexadecimal digits. Only long rows are worth a closer look.
 */
const [IN_SECRET, IN_HEXADECIMAL, ONE_EACH, LONG] = [0x00ff, 0xff00, 0x0101, 0xf8f8];
const LONGEST_ROW = 0xf0;

/** The marks of three hexadecimal digits; `0x` may stand before each. */
const hexadecimal = new Uint16Array(MARKS);
const digits = [...'0123456789abcdefx'].map((digit) => letterOf[digit.charCodeAt(0)] as number);
for (const first of digits)
  for (const second of digits)
    for (const third of digits) hexadecimal[next(next(first, second), third)] = IN_HEXADECIMAL;

/** Whether a text may have the letters of one of some strings, one after the other: nearly every text is dismissed in one quick pass. */
export class Glance {
  readonly #marks = hexadecimal.slice();
  readonly #inARow: number;
  readonly #digits: number;

  /** `digits` in hexadecimal are worth reading. */
  constructor(strings: readonly string[], digits: number) {
    this.#inARow = Math.min(...strings.map(({ length }) => length)) - 2;
    this.#digits = Math.min(digits, LONGEST_ROW) - 2;
    for (const string of strings) {
      let three = 0;
      for (let index = 0; index < string.length; index++) {
        three = next(three, letterOf[string.charCodeAt(index)] as number);
        if (index > 1) this.#marks[three] = (this.#marks[three] as number) | IN_SECRET;
      }
    }
  }

  /** What a text may have, as a sum of `LETTERS` and others: 0 for most. */
  mayHold(source: Uint8Array): number {
    const marks = this.#marks;
    const inARow = this.#inARow;
    const digits = this.#digits;
    const { length } = source;
    let three = 0;
    let rows = 0;
    let found = 0;
    for (let index = 0; index < length; index++) {
      const letter = letterOf[source[index] as number] as number;
      if (letter === 0) continue;
      if (letter > 36) {
        found |= letter;
        continue;
      }
      three = next(three, letter);
      rows = (rows + ONE_EACH) & (marks[three] as number);
      if ((rows & LONG) === 0) continue;
      if ((rows & IN_SECRET) >= inARow) found |= LETTERS;
      if (rows >> 8 >= digits) found |= DIGITS;
    }
    return found;
  }
}

function next(three: number, letter: number): number {
  return ((three << 5) ^ letter) & (MARKS - 1);
}

/** A way to read a text that would spoil other readings of it. */
interface Reading {
  /** Only texts that may have this are worth reading so. */
  readonly of: number;
  readonly pattern: RegExp;
  /** What is read instead of a match. */
  readonly read: (match: string, ...groups: (string | undefined)[]) => string;
}

/** The commands of a terminal: control sequences, and strings that BEL or ST ends. */
const [ESC, BEL] = [String.fromCharCode(0x1b), String.fromCharCode(0x07)];
const commands = `${ESC}\\[[\\d;:?]*[ -/]*[@-~]|${ESC}\\][^${BEL}${ESC}]*(?:${BEL}|${ESC}\\\\)`;

const markup = new RegExp(`<!\\[cdata\\[|\\]\\]>|<[a-z/!?][^<>]*>|${commands}`, 'gi');

/** A secret that looks like having tags is read without them, too. */
export const withoutMarkup = (text: string) => text.replace(markup, '');

const table: readonly Reading[] = [
  {
    of: MARKUP,
    pattern: markup,
    read: () => '',
  },
  {
    // CSS, HTML without semicolons, and what people write; the plus may have been folded into a blank.
    of: ESCAPE,
    pattern: /(?:\\|&#x|u[+ ])0*([2-7][\da-f])[ ;,\n]?|&#0*(\d{2,3});?/g,
    read: (_, hexadecimal, decimal) =>
      String.fromCharCode((hexadecimal ? Number.parseInt(hexadecimal, 16) : Number(decimal)) & 0xff),
  },
  {
    of: DIGITS,
    pattern: /(?<![\da-z])(?:0x)?((?:[\da-f]{2})+)(?![\da-z])/g,
    read: (_, digits = '') => Buffer.from(digits, 'hex').toString('latin1'),
  },
];

/** A text's letters and digits in one way of reading it. */
export interface LetterView {
  readonly letters: string;
  /** Where those from one index until another are in the text. */
  readonly place: (start: number, end: number) => readonly [start: number, end: number];
}

/** Every way in which a text in lower case can be read, if it may hold a secret's letters so. */
export function* letterViews(text: string, may: number, glance: Glance): Generator<LetterView> {
  if (may & LETTERS) yield letterView(text);
  for (const { of, pattern, read } of table) {
    const other = may & of ? text.replace(pattern, read) : text;
    if (other !== text && glance.mayHold(Buffer.from(other, 'latin1')) & LETTERS)
      yield letterView(other.toLowerCase(), () => placesOf(text, pattern, read));
  }
}

function letterView(text: string, makePlaces?: () => Places): LetterView {
  let indexes: readonly number[] | undefined;
  let places: Places | undefined;
  return {
    letters: lettersOf(text),
    place(start, end) {
      indexes ??= indexesOf(text);
      places ??= makePlaces?.();
      const [first, last] = [indexes[start] as number, indexes[end - 1] as number];
      return places ? [places.starts[first] as number, places.ends[last] as number] : [first, last + 1];
    },
  };
}

/** Where in a text each character of its reading begins and ends. */
function placesOf(text: string, pattern: RegExp, read: Reading['read']): Required<Places> {
  const [starts, ends]: [number[], number[]] = [[], []];
  let from = 0;
  const copy = (until: number) => {
    for (; from < until; from++) {
      starts.push(from);
      ends.push(from + 1);
    }
  };
  for (const match of text.matchAll(pattern)) {
    copy(match.index);
    const end = from + match[0].length;
    for (const _ of read(...(match as unknown as [string]))) {
      starts.push(from);
      ends.push(end);
    }
    from = end;
  }
  copy(text.length);
  return { starts, ends };
}
