/** A text as it can be read, of characters up to U+00FF, and where in the original text each of its stretches is. */
export interface View {
  readonly text: string;
  place(start: number, end: number): readonly [start: number, end: number];
}

/** What is read instead of a match. */
export type Read = string | ((match: string, ...groups: (string | undefined)[]) => string);

/** Where in another view each character begins and ends, one after the other. */
export type Places = number[];

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
  const text = source.text.replace(pattern, read as string);
  return text === source.text ? source : viewOf(source, text, () => placesOf(source.text, pattern, read));
}

function placesOf(text: string, pattern: RegExp, read: Read): Places {
  const places: Places = [];
  let from = 0;
  const copy = (until: number) => {
    for (; from < until; from++) places.push(from, from + 1);
  };
  for (const match of text.matchAll(pattern)) {
    copy(match.index);
    const end = from + match[0].length;
    for (const _ of typeof read === 'string' ? read : read(...(match as unknown as [string]))) places.push(from, end);
    from = end;
  }
  copy(text.length);
  return places;
}
