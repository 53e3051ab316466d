import { unescaped, withLetters } from './escapes.ts';
import { ManyStrings } from './many-strings.ts';
import type { Secret } from './secret.ts';
import { lettersOf, originalView, withoutMarkup } from './views.ts';

/** Shorter pieces of base64, or of decoded secrets, would match ordinary text. */
const SHORTEST_PIECE = 8;

/** With anything between them, fewer letters and digits would be found in ordinary words and lists of numbers. */
const SHORTEST_SKELETON = 12;

/** The kinds of `terms`. */
export const kinds = {
  /** A secret itself, and its form with escape-like characters decoded. */
  plain: 1,
  /** The same without the part that a `%`, `=` or `\` before it turns into an escape. */
  tails: 2,
  /** A short secret in base64 with changed case, which can no longer be decoded. */
  base64: 4,
} as const;

export class Needles {
  readonly terms = new ManyStrings();
  /** The letters and digits alone of each secret that has enough of them, and of its base64: what remains of it in pieces. */
  readonly skeletons = new ManyStrings();
  shortest = Number.POSITIVE_INFINITY;
  /** Short texts in which none of them is: most header names and values come with every response. */
  readonly clean = new Set<string>();

  add({ plain, tails, base64, skeletons }: Forms): void {
    this.terms.add(plain.map(folded), kinds.plain);
    this.terms.add(tails.map(folded), kinds.tails);
    this.terms.add(base64.map(folded), kinds.base64);
    this.skeletons.add(skeletons);
    this.shortest = Math.min(this.shortest, ...[...plain, ...tails].map(({ length }) => length));
    this.clean.clear();
  }
}

/** Form encoding writes a blank as `+`, so the two count as equal. */
export const folded = (text: string) => text.replaceAll('+', ' ');

/** The search terms of one secret, in lower case. */
type Forms = Readonly<Record<keyof typeof kinds | 'skeletons', readonly string[]>>;

const known = new WeakMap<Secret, Forms>();

/** Every scenario has a redactor, and most of its secrets were in the one before. */
export function formsOf(secret: Secret): Forms {
  const earlier = known.get(secret);
  if (earlier) return earlier;
  const value = secret.reveal();
  const read = [value, ...unescapedForms(value)];
  const plain = [...new Set(read.map((text) => withLetters(text).toLowerCase()))];
  const base64 = base64Pieces(value).map((text) => text.toLowerCase());
  const letters = new Set([...read, ...read.map(withoutMarkup), ...base64]);
  const hasEnough = (skeleton: string) => skeleton.length >= SHORTEST_SKELETON;
  const forms = {
    plain,
    tails: plain.flatMap(tailsOf),
    base64: base64.filter((text) => !hasEnough(lettersOf(text))),
    skeletons: [...new Set(Array.from(letters, lettersOf).filter(hasEnough))],
  };
  known.set(secret, forms);
  return forms;
}

/** A secret that looks like having escapes, as they are undone in a text with it. */
function unescapedForms(secret: string): string[] {
  const views = (['plain', 'quotedPrintable'] as const).flatMap((kind) => [...unescaped(originalView(secret), kind)]);
  return views.map(({ text }) => text).filter(isLongEnough);
}

const isLongEnough = (form: string) => form.length >= SHORTEST_PIECE;

/** `%cafe…` is read as one character and `fe…`. */
function tailsOf(needle: string): string[] {
  const lengths = [/^[0-9a-f]{2}/, /^[0-3][0-7]{2}/, /^[0-9a-f]{4}/].map(
    (begin) => begin.exec(needle)?.[0].length ?? 0,
  );
  const tails = lengths.filter((length) => length > 0).map((length) => needle.slice(length));
  return tails.filter((tail) => tail.length >= SHORTEST_PIECE);
}

/** The base64 that any text with `secret` must contain, at each of the three possible offsets. */
function base64Pieces(secret: string): string[] {
  const length = Buffer.byteLength(secret);
  const pieces = [0, 1, 2].flatMap((shift) => {
    const text = Buffer.from('\0'.repeat(shift) + secret).toString('base64');
    // The characters at both ends contain bits of their neighbours, so only the middle is certain.
    const middle = text.slice(shift === 0 ? 0 : shift + 1, Math.floor(((shift + length) * 8) / 6));
    return [middle, middle.replaceAll('+', '-').replaceAll('/', '_')];
  });
  return [...new Set(pieces)].filter((piece) => piece.length >= SHORTEST_PIECE);
}
