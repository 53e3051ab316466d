import type { BlockList } from './block-list.ts';
import { entryKeys } from './entries.ts';
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
  const deadline = performance.now() + list.lab.environment.consistencyTimeoutMs;
  for (;;) {
    const page = entryKeys(await list.read(...pageAt(reading, 0, LARGE)), list.made);
    const ours = page.filter((key) => list.made.includes(key));
    if (ours.length === list.made.length) return undefined;
    const next =
      page.length === 0 ? [] : entryKeys(await list.read(...pageAt(reading, page.length, page.length)), list.made);
    if (next.length > 0) return `cap ${page.length}`;
    // A list may lag behind; only what is seen on the next page is known to have been cut off.
    if (performance.now() > deadline) return 'cap undecided';
    await list.lab.budget.pause(100);
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
