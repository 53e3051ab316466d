import type { ManyStrings } from './many-strings.ts';

/** A text as it can be read, of characters up to U+00FF, and where in the original text each of its stretches is. */
export interface View {
  readonly text: string;
  place(start: number, end: number): readonly [start: number, end: number];
}

export type Read = string | ((match: string, ...groups: (string | undefined)[]) => string);

/** Where in another view each character begins and ends, one after the other. */
export type Places = ArrayLike<number>;

/** A character that neither a secret nor an encoding has. */
export const SEPARATOR = '\x03';

/** A character by its code; a full-width letter is the plain one, and no secret has any other above U+00FF. */
export function characterOf(code: number): string {
  if (code > 0xff00 && code < 0xff5f) return String.fromCharCode(code - 0xfee0);
  return code > 0xff ? SEPARATOR : String.fromCharCode(code);
}

export function originalView(text: string): View {
  return {
    text: text.replace(/[^\0-\xff]/g, (character) => characterOf(character.charCodeAt(0))),
    place: (start, end) => [start, end],
  };
}

/** A text that was read from `source`. Places are only found out when they are asked for: hardly any text has a secret. */
export function viewOf(source: View, text: string, makePlaces: () => Places): View {
  let places: Places | undefined;
  return {
    text,
    place(start, end) {
      places ??= makePlaces();
      return source.place(places[2 * start] as number, places[2 * end - 1] as number);
    },
  };
}

/** `source` with each match read; the same view if there is none. */
export function rewritten(source: View, pattern: RegExp, read: Read): View {
  const text = typeof read === 'string' ? source.text.replace(pattern, read) : replaced(source.text, pattern, read);
  return text === source.text ? source : viewOf(source, text, () => placesOf(source.text, pattern, read, text.length));
}

/** As `replace` does, which keeps every match with its groups until the end: for a text of escapes, thirty times its size. */
function replaced(text: string, pattern: RegExp, read: Exclude<Read, string>): string {
  const parts: string[] = [];
  let from = 0;
  for (const match of text.matchAll(pattern)) {
    parts.push(text.slice(from, match.index), read(...(match as unknown as [string])));
    from = match.index + match[0].length;
  }
  return from === 0 ? text : parts.join('') + text.slice(from);
}

function placesOf(text: string, pattern: RegExp, read: Read, length: number): Places {
  const places = new Int32Array(2 * length);
  let [from, at] = [0, 0];
  const put = (start: number, end: number) => {
    places[at++] = start;
    places[at++] = end;
  };
  const copy = (until: number) => {
    for (; from < until; from++) put(from, from + 1);
  };
  for (const match of text.matchAll(pattern)) {
    copy(match.index);
    const end = from + match[0].length;
    for (const _ of typeof read === 'string' ? read : read(...(match as unknown as [string]))) put(from, end);
    from = end;
  }
  copy(text.length);
  return places;
}

/** The letters and digits of a text alone, in lower case: they stay the same however it is wrapped, quoted, joined, or drawn out. */
export const lettersOf = (text: string) => text.toLowerCase().replace(notLetters, '');
const notLetters = /[^\da-z]+/gi;

/** The commands of a terminal: control sequences, and strings that BEL or ST ends. */
const [ESC, BEL] = [String.fromCharCode(0x1b), String.fromCharCode(0x07)];
const commands = `${ESC}\\[[\\d;:?]*[ -/]*[@-~]|${ESC}\\][^${BEL}${ESC}]*(?:${BEL}|${ESC}\\\\)`;
const markup = new RegExp(`<!\\[cdata\\[|\\]\\]>|<[a-z/!?][^<>]*>|${commands}`, 'gi');

/** A secret that looks like having tags is read without them, too. */
export const withoutMarkup = (text: string) => text.replace(markup, '');

/** What a text may have: a tag or a command of a terminal, an escape, the letters of a secret, as many hexadecimal digits. */
const [MARKUP, ESCAPE, LETTERS, DIGITS] = [1, 2, 4, 8];

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

/** What is looked for: the letters of secrets; so many digits in hexadecimal are worth reading. */
interface Sought {
  readonly skeletons: ManyStrings;
  readonly digits: number;
}

/** The letters and digits of a text in each way of reading it in which it may hold a secret's. */
export function* letterViews(view: View, sought: Sought): Generator<View> {
  const may = mayHold(view.text, sought);
  if (may & LETTERS) yield rewritten(view, notLetters, '');
  for (const { of, pattern, read } of readings) {
    const other = may & of ? rewritten(view, pattern, read) : view;
    if (other !== view && mayHold(other.text, sought) & LETTERS) yield rewritten(other, notLetters, '');
  }
}

/** For each character: a digit, or a letter in lower case; what begins markup or an escape; 0 for anything else. */
const letterOf = Uint8Array.from({ length: 256 }, (_, code) => {
  const character = String.fromCharCode(code).toLowerCase();
  if (/[\da-z]/.test(character)) return character.charCodeAt(0);
  return `<${ESC}`.includes(character) ? MARKUP : '\\&+'.includes(character) ? ESCAPE : 0;
});
/** The last hexadecimal digit, and about the `x` that may stand before each. */
const [F, W] = ['f'.charCodeAt(0), 'w'.charCodeAt(0)];

/** What a text may have, as a sum of `LETTERS` and others, in one quick pass: 0 for most. */
function mayHold(text: string, { skeletons, digits }: Sought): number {
  const { length } = text;
  let [letters, found, inARow] = [0, 0, 0];
  for (let index = 0; index < length; index++) {
    const letter = letterOf[text.charCodeAt(index)] as number;
    if (letter <= ESCAPE) {
      found |= letter;
      continue;
    }
    inARow = letter <= F || letter >= W ? inARow + 1 : 0;
    if (inARow >= digits) found |= DIGITS;
    letters = (letters << 8) | letter;
    if (skeletons.mayBegin(letters)) found |= LETTERS;
  }
  return found;
}
