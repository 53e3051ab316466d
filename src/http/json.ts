/** The value of a JSON text; `undefined` if the text is absent or isn't JSON. */
export function parsedJson(text: string | undefined): unknown {
  // Blank texts return early: a journal is padded with blanks, and an exception for each of them would be slow.
  if (text === undefined || text.trim() === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The digits of integers that a number can't hold exactly, by the object or list that contains them, and their key. */
const largeIntegers = new WeakMap<object, Map<string, string>>();

/**
 * The same as `JSON.parse`, which rounds large integers, but also keeps the digits of these integers for the function `exactly`. @throws
 * SyntaxError
 */
export function parseJson(text: string): unknown {
  const rounded: unknown = JSON.parse(text);
  if (!/[[:,\s]\d{16}/.test(text)) return rounded;
  function keepDigits(this: object, key: string, value: unknown, { source = '' }: { readonly source?: string } = {}) {
    if (!Number.isSafeInteger(value) && /^\d+$/.test(source))
      largeIntegers.set(this, (largeIntegers.get(this) ?? new Map()).set(key, source));
    return value;
  }
  try {
    return JSON.parse(text, keepDigits);
  } catch {
    // The first `JSON.parse` was able to parse this text. With `keepDigits`, it calls itself for each level, and the text is nested too
    // deeply for that.
    return rounded;
  }
}

/** The exact value at a key of an object from `parseJson`. If `parseJson` rounded an integer, returns its digits as a text. */
export function exactly(holder: object, key: string, value: unknown): unknown {
  return largeIntegers.get(holder)?.get(key) ?? value;
}

export function fieldsIn(text: string | undefined): Readonly<Record<string, unknown>> {
  const found = parsedJson(text);
  return typeof found === 'object' && found !== null ? (found as Readonly<Record<string, unknown>>) : {};
}

/** The value at a JSON Pointer (RFC 6901); `undefined` if there is none. */
export function valueAt(document: unknown, pointer: string): unknown {
  if (pointer === '') return document;
  let value = document;
  for (const token of pointer.split('/').slice(1)) {
    const key = token.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}

/** Whether a content type is JSON, for example `application/json` or `application/problem+json; charset=utf-8`. */
export function isJsonType(contentType: string | undefined): boolean {
  return contentType !== undefined && /[/+]json\b/i.test(contentType);
}

/** Every object in a JSON value; without recursion, because a response may be 100,000 levels deep. */
export function* recordsIn(root: unknown): Generator<Readonly<Record<string, unknown>>> {
  const pending: unknown[] = [root];
  while (pending.length > 0) {
    const value = pending.pop();
    if (typeof value !== 'object' || value === null) continue;
    if (!Array.isArray(value)) yield value as Record<string, unknown>;
    for (const child of Object.values(value)) pending.push(child);
  }
}

/** Every scalar and every object key of a JSON value, as text, with its path; without recursion. */
export function* leaves(
  root: unknown,
): Generator<{ readonly path: readonly string[]; readonly text: string; readonly isKey: boolean }> {
  const pending: { value: unknown; path: readonly string[] }[] = [{ value: root, path: [] }];
  for (let node = pending.pop(); node; node = pending.pop()) {
    const { value, path } = node;
    if (typeof value !== 'object' || value === null) {
      yield { path, text: String(value), isKey: false };
      continue;
    }
    const isArray = Array.isArray(value);
    for (const [key, child] of Object.entries(value)) {
      if (!isArray) yield { path, text: key, isKey: true };
      // A path stops growing at 100 keys, more than any real response has: copies for 100,000 levels would fill the memory.
      const below = path.length < 100 ? [...path, isArray ? '*' : key] : path;
      pending.push({ value: exactly(value, key, child), path: below });
    }
  }
}

/**
 * Whether `id` appears anywhere in a response, as a value, a key or a number, alone or as a whole token of a longer text (`user:<id>`,
 * `/v1/users/<id>`). The whole response is searched, because the specification shows no response's shape.
 */
export function mentions(root: unknown, id: string, inAnyCase = false): boolean {
  const asSent = (text: string) => (inAnyCase ? text.toLowerCase() : text);
  for (const { text } of leaves(root)) if (placeOfToken(asSent(text), asSent(id))) return true;
  return false;
}

/**
 * All values in the same place as `known`: in the same field of a sibling entry, or as a sibling key. If `known` is a token of a longer text, the
 * values come without the text around them. Includes `known` itself; empty if `known` doesn't appear.
 */
export function alike(root: unknown, known: string): string[] {
  const all = [...leaves(root)];
  const found = all.flatMap((leaf) => {
    const around = placeOfToken(leaf.text, known);
    return around ? [{ place: placeOf(leaf), ...around }] : [];
  });
  // A longer text, such as a label, may happen to contain `known`. So if some places hold nothing but `known`, the places with longer texts
  // are ignored.
  const alone = found.filter(({ before, after }) => before === '' && after === '');
  const places = alone.length > 0 ? alone : found;
  const values = all.flatMap((leaf) =>
    places
      .filter(({ place, before, after }) => {
        const isLonger = leaf.text.length > before.length + after.length;
        return place === placeOf(leaf) && isLonger && leaf.text.startsWith(before) && leaf.text.endsWith(after);
      })
      .map(({ before, after }) => leaf.text.slice(before.length, leaf.text.length - after.length)),
  );
  return [...new Set(values)];
}

function placeOf({ path, isKey }: { readonly path: readonly string[]; readonly isKey: boolean }): string {
  return JSON.stringify([isKey, path]);
}

/**
 * Characters that can stand next to an id in a text. Next to any other character, the id is only a part of a longer id. Quotes are not in
 * the list, because a text with quoted ids would be JSON, whose values are searched one by one.
 */
const SEPARATORS = ' /:|,;=#&?@!()<>{}~+';

/**
 * Finds `id` in `text` as a whole token, percent-encoded or not, and returns the text before and after it; `undefined` if it isn't there.
 */
function placeOfToken(text: string, id: string): { readonly before: string; readonly after: string } | undefined {
  if (text === id) return { before: '', after: '' };
  if (id === '' || isDigitsOfATime(text, id)) return undefined;
  for (const form of text.includes('%') ? [text, decoded(text)] : [text]) {
    for (let at = form.indexOf(id); at >= 0; at = form.indexOf(id, at + 1)) {
      const [before, after] = [form.slice(0, at), form.slice(at + id.length)];
      const isWhole = [before.at(-1), after[0]].every((beside) => beside === undefined || SEPARATORS.includes(beside));
      if (isWhole) return { before, after };
    }
  }
  return undefined;
}

/** True if an id is only some digits of a time in the text: `42` in `10:42:07` is not an id. */
function isDigitsOfATime(text: string, id: string): boolean {
  return /^\d{1,4}$/.test(id) && /\d:\d\d/.test(text);
}

/** A text without its percent-encoding. A text that is encoded wrongly stays unchanged. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The number of entries in the list that is nearest to the root of a response; `undefined` if there is no list. */
export function entryCount(root: unknown): number | undefined {
  let level: unknown[] = [root];
  for (let depth = 0; depth < 10 && level.length > 0; depth++) {
    const list = level.find(Array.isArray);
    if (list) return list.length;
    level = level.flatMap((value) => (typeof value === 'object' && value !== null ? Object.values(value) : []));
  }
  return undefined;
}
