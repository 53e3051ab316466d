import type { BlockList } from './block-list.ts';
import type { Reading } from './window.ts';

/** So many entries the list is grown to, step by step, until a page doesn't hold them all. */
const STEPS = [30, 60, 120] as const;
const LARGE = 1_000;

/** The most entries that one page gives, in words; the entries beyond were seen on the next page. */
export async function findCap(list: BlockList, reading: Reading): Promise<string> {
  for (const step of STEPS) {
    await list.add(step - list.made.length);
    const found = await capAmong(list, reading);
    if (found !== undefined) return found;
  }
  return `no cap up to ${STEPS.at(-1)}`;
}

async function capAmong(list: BlockList, reading: Reading): Promise<string | undefined> {
  const deadline = performance.now() + list.runner.environment.consistencyTimeoutMs;
  for (;;) {
    const page = await pageKeys(list, reading, 0, LARGE);
    if (holdsAll(list, page)) return undefined;
    // A list may lag behind: what a page lacks was cut off only if every entry is seen on some page.
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

/** All entries, page by page, each as long as the first one. */
async function allPages(list: BlockList, reading: Reading, first: readonly string[]): Promise<string[]> {
  const all = new Set(first);
  for (let index = first.length; ; index += first.length) {
    const known = all.size;
    for (const key of await pageKeys(list, reading, index, first.length)) all.add(key);
    // A page that holds nothing new is the end, or no page at all.
    if (all.size === known) return [...all];
  }
}

/** The segments of the page that starts at `index` (from 0), a multiple of `size`. */
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
