import type { Exchange } from '../../../client/index.ts';
import { entryKeys, listPlace, readSegments } from '../../../survey/index.ts';
import type { Found } from './found.ts';

type Pair = readonly [n1: number, n2: number];

/** Pairs whose pages differ from one reading to the next. */
const PAGES: readonly Pair[] = [
  [0, 1],
  [1, 1],
  [1, 2],
  [2, 1],
  [0, 2],
  [2, 2],
  [1, 3],
];

/** Fewer entries are a page for any reading. */
const FEWEST = 4;

/** What the two segments of the block lists mean, from `whole`, the list as it is read now, and a few pages of it. */
export async function paging(whole: Exchange, read: (pair: Pair) => Promise<Exchange>): Promise<Found> {
  const place = listPlace(whole, []);
  const all = entryKeys(whole, [], place);
  if (all.length < FEWEST)
    return {
      text: `The block list has ${all.length === 0 ? 'no entries' : 'too few entries'} to see what its two segments mean; npx sextant survey makes entries and finds out.`,
    };
  const pages = [];
  for (const [n1, n2] of PAGES) {
    const page = await read([n1, n2]);
    // A pair that is refused has no page to compare.
    if (page.response?.status === 200) pages.push({ n1, n2, entries: entryKeys(page, [], place) });
  }
  const found = readSegments(all, pages);
  if ('reading' in found)
    return {
      text: `The two segments of the block lists are ${found.reading.name}, counted from ${found.reading.first}.`,
    };
  return {
    text: `What the two segments of the block lists mean is not clear${found.left.length > 0 ? ` (${found.left.join(' or ')})` : ''}; npx sextant survey finds out.`,
  };
}
