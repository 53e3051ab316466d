import type { BlockList } from './block-list.ts';
import type { Reading } from './read-segments.ts';

/** List sizes to try, step by step, until a page doesn't contain all entries. */
const STEPS = [30, 60, 120] as const;
const LARGE = 1_000;

/** The maximum number of entries per page, in words; further entries appeared on the next page. */
export async function findCap(list: BlockList, reading: Reading): Promise<string> {
  for (const step of STEPS) {
    const before = list.made.length;
    await list.add(step - before, 0);
    if (list.made.length === before) break;
    const found = await capAmong(list, reading);
    if (found !== undefined) return found;
  }
  return `no cap up to ${list.made.length}`;
}

async function capAmong(list: BlockList, reading: Reading): Promise<string | undefined> {
  const deadline = performance.now() + list.runner.environment.consistencyTimeoutMs;
  for (;;) {
    const page = await pageKeys(list, reading, 0, LARGE);
    if (holdsAll(list, page)) return undefined;
    // A list may lag: a page was cut off only if every entry appears on some page.
    if (page.length > 0 && holdsAll(list, await allPages(list, reading, page))) {
      const again = await pageKeys(list, reading, 0, LARGE);
      if (again.length === page.length) return `cap ${page.length}`;
    }
    if (performance.now() > deadline) return 'cap undecided';
    await list.runner.budget.pause(100);
  }
}

function holdsAll(list: BlockList, keys: readonly string[]): boolean {
  const seen = new Set(keys);
  return list.made.every((key) => seen.has(key));
}

async function pageKeys(list: BlockList, reading: Reading, index: number, size: number): Promise<string[]> {
  return list.keysIn(await list.read(...pageAt(reading, index, size)));
}

/** All entries, page by page, with pages of the first one's length. */
async function allPages(list: BlockList, reading: Reading, first: readonly string[]): Promise<string[]> {
  const all = new Set(first);
  for (let index = first.length; ; index += first.length) {
    const known = all.size;
    for (const key of await pageKeys(list, reading, index, first.length)) all.add(key);
    // A page without new entries is the end, or not a page.
    if (all.size === known) return [...all];
  }
}

/** The segments of the page starting at `index` (from 0), a multiple of `size`. */
function pageAt({ name, first }: Reading, index: number, size: number): [number, number] {
  const page = index / size + first;
  switch (name) {
    case 'offset/limit':
      return [index + first, size];
    case 'limit/offset':
      return [size, index + first];
    case 'page/size':
      return [page, size];
    case 'size/page':
      return [size, page];
    default:
      return [index + first, index + size];
  }
}
