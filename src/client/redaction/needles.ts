import { Glance, lettersOf, withoutMarkup } from './cut-texts.ts';
import { unescaped, withLetters } from './escapes.ts';
import { ManyStrings } from './many-strings.ts';
import type { Secret } from './secret.ts';
import { originalView } from './views.ts';

/** The search terms for a set of secrets, in lower case. */
export interface Needles {
  /** Each secret, and its form with escape-like characters decoded. */
  readonly plain: ManyStrings;
  /** The same without the part that a `%`, `=` or `\` before it turns into an escape. */
  readonly tails: ManyStrings;
  /** Each short secret in base64 with changed case, which can no longer be decoded. */
  readonly base64: ManyStrings;
  /** The letters and digits alone of each secret that has enough of them, and of its base64: what remains of it in pieces. */
  readonly skeletons: ManyStrings;
  /** Whether a text may have one of them; absent if there are none. */
  readonly glance: Glance | undefined;
  /** The length of the shortest of the secrets. */
  readonly shortest: number;
  /** Form encoding writes a blank as `+`, so the two count as equal. */
  readonly blanks: boolean;
  /** Short texts that are known to contain none of them. */
  readonly clean: CleanTexts;
}

/** Shorter pieces of base64, or of decoded secrets, would match ordinary text. */
const SHORTEST_PIECE = 8;

/** With anything between them, fewer letters and digits would be found in ordinary words and lists of numbers. */
const SHORTEST_SKELETON = 12;

const shared = new WeakMap<Forms, { readonly forms: readonly Forms[]; readonly needles: Needles }>();

/** Every scenario has a redactor, and most have the secrets of the one before: then they share what is made of them. */
export function needlesOf(forms: readonly Forms[]): Needles {
  const [first] = forms;
  const known = first && shared.get(first);
  if (known?.forms.length === forms.length && known.forms.every((each, index) => each === forms[index]))
    return known.needles;
  const needles = makeNeedles(forms);
  if (first) shared.set(first, { forms, needles });
  return needles;
}

function makeNeedles(forms: readonly Forms[]): Needles {
  const blanks = forms.some(({ plain }) => /[+ ]/.test(plain[0] ?? ''));
  const all = (kind: keyof Forms) => [
    ...new Set(forms.flatMap((each) => each[kind]).map((text) => (blanks ? text.replaceAll('+', ' ') : text))),
  ];
  const [plain, tails, base64, skeletons] = [all('plain'), all('tails'), all('base64'), all('skeletons')];
  const shortest = Math.min(...[...plain, ...tails].map(({ length }) => length));
  return {
    plain: new ManyStrings(plain),
    tails: new ManyStrings(tails),
    base64: new ManyStrings(base64),
    skeletons: new ManyStrings(skeletons),
    glance: skeletons.length > 0 ? new Glance(skeletons, shortest * 2) : undefined,
    shortest,
    blanks,
    clean: new CleanTexts(),
  };
}

/** The search terms of one secret, in lower case; `plain` begins with the secret. */
export type Forms = Readonly<Record<'plain' | 'tails' | 'base64' | 'skeletons', readonly string[]>>;

const known = new WeakMap<Secret, Forms>();

/** Every scenario has a redactor, and most of its secrets were in the one before. */
export function formsOf(secret: Secret): Forms {
  const earlier = known.get(secret);
  if (earlier) return earlier;
  const value = secret.reveal();
  const read = [value, ...unescapedForms(value)];
  const plain = [...new Set(read.map((text) => withLetters(text).toLowerCase()))];
  const base64 = base64Pieces(value).map((text) => text.toLowerCase());
  const hasEnough = (text: string) => lettersOf(text).length >= SHORTEST_SKELETON;
  const forms = {
    plain,
    tails: plain.flatMap(tailsOf),
    base64: base64.filter((text) => !hasEnough(text)),
    skeletons: [...new Set([...read, ...read.map(withoutMarkup), ...base64].filter(hasEnough).map(lettersOf))],
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
  const bytes = Buffer.from(secret);
  const pieces = [0, 1, 2].flatMap((shift) => {
    const text = Buffer.concat([Buffer.alloc(shift), bytes]).toString('base64');
    // The characters at both ends contain bits of their neighbours, so only the middle is certain.
    const middle = text.slice(shift === 0 ? 0 : shift + 1, Math.floor(((shift + bytes.length) * 8) / 6));
    return [middle, middle.replaceAll('+', '-').replaceAll('/', '_')];
  });
  return pieces.filter((piece) => piece.length >= SHORTEST_PIECE);
}

/** Texts in which a search found no secret: the headers of one response are nearly all those of the one before. */
export class CleanTexts {
  readonly #texts = new Set<string>();

  has(text: string): boolean {
    return this.#texts.has(text);
  }

  /** Long texts hardly ever come again. */
  add(text: string): void {
    if (text.length > 200) return;
    if (this.#texts.size >= 1_000) this.#texts.clear();
    this.#texts.add(text);
  }
}
