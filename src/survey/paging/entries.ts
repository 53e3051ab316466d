import type { Exchange } from '../../client/index.ts';

/**
 * The keys of a list's entries in their order: one of `known` where an entry holds it, else the entry itself. The list is
 * the first one in the answer, looked for from the top.
 */
export function entryKeys({ response }: Exchange, known: readonly string[]): string[] {
  const json = response?.body.json;
  const list = json?.ok ? firstList(json.value) : undefined;
  return (list ?? []).map((entry) => {
    const text = JSON.stringify(entry);
    return known.find((id) => text.includes(JSON.stringify(id))) ?? text;
  });
}

function firstList(root: unknown): unknown[] | undefined {
  let level: unknown[] = [root];
  for (let depth = 0; depth < 10 && level.length > 0; depth++) {
    const list = level.find(Array.isArray);
    if (list) return list;
    level = level.flatMap((value) => (typeof value === 'object' && value !== null ? Object.values(value) : []));
  }
  return undefined;
}
