/** Every scalar and every object key of a JSON value, as text, with the path that leads there; without recursion. */
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
      // A path longer than any real answer's isn't kept: 100,000 levels of copies would fill the memory.
      pending.push({ value: child, path: path.length < 100 ? [...path, isArray ? '*' : key] : path });
    }
  }
}

/** Whether `id` stands anywhere in an answer, as a value, a key or a number: the document shows no answer's shape. */
export function mentions(root: unknown, id: string): boolean {
  for (const { text } of leaves(root)) if (text === id) return true;
  return false;
}

/**
 * All values that stand where `known` stands: in the same field of a sibling entry, or as a sibling key.
 * `known` itself is among them; the list is empty when it isn't there.
 */
export function alike(root: unknown, known: string): string[] {
  const all = [...leaves(root)];
  const places = all.filter(({ text }) => text === known).map(placeOf);
  return [...new Set(all.filter((leaf) => places.includes(placeOf(leaf))).map(({ text }) => text))];
}

function placeOf({ path, isKey }: { readonly path: readonly string[]; readonly isKey: boolean }): string {
  return JSON.stringify([isKey, path]);
}

/** The number of entries of the first list in an answer, looked for from the top; `undefined` when there is none. */
export function entryCount(root: unknown): number | undefined {
  let level: unknown[] = [root];
  for (let depth = 0; depth < 10 && level.length > 0; depth++) {
    const list = level.find(Array.isArray);
    if (list) return list.length;
    level = level.flatMap((value) => (typeof value === 'object' && value !== null ? Object.values(value) : []));
  }
  return undefined;
}
