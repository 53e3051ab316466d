import { ManyStrings } from './many-strings.ts';
import { ESCAPED_CR, ESCAPED_LF, undoEscapes } from './undo-escapes.ts';

/** What a set of secrets is looked for by. All are folded as `foldedText` folds the texts that they are looked for in. */
export interface Needles {
  /** Each secret, and what is left of it where its own characters look like escapes. */
  readonly plain: ManyStrings;
  /** Each secret inside base64 whose case was changed, which can't be decoded any more. */
  readonly base64: ManyStrings;
  /** The length of the shortest of `plain`. */
  readonly shortest: number;
  /** Form encoding writes a blank as `+`: where a secret has either, they are held to be the same. */
  readonly blanks: boolean;
}

/** A shorter piece of base64, or of a secret whose escapes were undone, would match ordinary text. */
const SHORTEST_PIECE = 8;

export function needlesOf(secrets: readonly string[]): Needles {
  const blanks = secrets.some((secret) => /[+ ]/.test(secret));
  const folded = (texts: readonly string[]) => [
    ...new Set(texts.map((text) => foldedText(Buffer.from(text, 'latin1'), blanks))),
  ];
  const forms = secrets.map(formsOf);
  const plain = folded(forms.flatMap((each) => each.plain));
  return {
    plain: new ManyStrings(plain),
    base64: new ManyStrings(folded(forms.flatMap((each) => each.base64))),
    shortest: Math.min(...plain.map((needle) => needle.length)),
    blanks,
  };
}

interface Forms {
  readonly plain: readonly string[];
  readonly base64: readonly string[];
}

/** Forms of the latest secrets: a new one, of a user just made, must not cost as much as all of them again. */
const known = new Map<string, Forms>();
const MOST_KNOWN = 1_000;

function formsOf(secret: string): Forms {
  const forms = known.get(secret) ?? { plain: [secret, ...unescapedForms(secret)], base64: base64Pieces(secret) };
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(secret, forms);
  return forms;
}

/** Bytes as text in lower case, of the same length. */
export function foldedText(bytes: Buffer, blanks: boolean): string {
  const text = bytes.toString('latin1').toLowerCase();
  return blanks ? text.replaceAll('+', ' ') : text;
}

function unescapedForms(secret: string): string[] {
  const forms = [false, true].map((quotedPrintable) => {
    const { bytes } = undoEscapes(Buffer.from(secret, 'latin1'), { quotedPrintable });
    return withLetters(bytes.toString('latin1'));
  });
  return forms.filter((form) => form.length >= SHORTEST_PIECE);
}

const escapedBreaks = new RegExp(`[${String.fromCharCode(ESCAPED_LF, ESCAPED_CR)}]`);

/** Escaped line breaks as the letters that they were written with: a secret holds a backslash and an `n`, not a line break. */
export function withLetters(text: string): string {
  if (!escapedBreaks.test(text)) return text;
  return text.replaceAll(String.fromCharCode(ESCAPED_LF), 'n').replaceAll(String.fromCharCode(ESCAPED_CR), 'r');
}

/** What certainly stands in the base64 of a text that holds `secret`, at each of the three offsets that a prefix can shift it by. */
function base64Pieces(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const pieces = [0, 1, 2].flatMap((shift) => {
    const text = Buffer.concat([Buffer.alloc(shift), bytes]).toString('base64');
    // The characters at either end also carry bits of the neighbours, so only the middle is certain.
    const middle = text.slice(shift === 0 ? 0 : shift + 1, Math.floor(((shift + bytes.length) * 8) / 6));
    return [middle, middle.replaceAll('+', '-').replaceAll('/', '_')];
  });
  return pieces.filter((piece) => piece.length >= SHORTEST_PIECE);
}
