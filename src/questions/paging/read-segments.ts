import { isDeepStrictEqual } from 'node:util';
import { segmentMeanings } from '../../service/index.ts';

/** The two path segments of a list request, and the keys of the entries on the page that it returns, in order. */
export interface PageSeen {
  readonly n1: number;
  readonly n2: number;
  readonly entries: readonly string[];
}

export interface Reading {
  readonly name: string;
  readonly first: 0 | 1;
  /**
   * The indexes of the entries on a page: `from` is the first one, and `to` comes after the last one. `undefined` if the two numbers mean
   * nothing in this reading.
   */
  readonly window: (n1: number, n2: number) => readonly [from: number, to: number] | undefined;
}

/** All possible meanings (readings) of the two numbers in the path of a list, such as page and size. */
export const readings: readonly Reading[] = ([0, 1] as const).flatMap((first) =>
  segmentMeanings.map(({ name, window }) => ({ name, first, window: (n1, n2) => window(first, n1, n2) })),
);

/** The number of pages that must confirm a reading. A page confirms nothing if it is empty or has the whole list. */
const ENOUGH = 3;

/**
 * The reading of the two numbers that the pages show; for a map also the order of its entries. If the pages don't show a single reading,
 * `left` has the names of the readings that are still possible.
 */
type Read = { readonly reading: Reading; readonly order?: readonly string[] } | { readonly left: readonly string[] };

/**
 * Finds the reading of the two numbers for a map. `made` has its entries in the order of their creation. The service may cut pages in this
 * order, in the reverse order, or by name, and may sort the entries within any page by name.
 */
export function readMap(made: readonly string[], all: readonly string[], pages: readonly PageSeen[]): Read {
  const isOurs = all.every((key) => made.includes(key));
  const orders = isOurs ? [made, made.toReversed(), all] : [all];
  const read = orders.map((order) => {
    const inOrder = pages.map((page) => ({ ...page, entries: order.filter((key) => page.entries.includes(key)) }));
    return { order, ...readSegments(order, inOrder) };
  });
  const found = read.filter((each) => 'reading' in each);
  const [first] = found;
  if (first && new Set(found.map(({ reading: { name, first: index } }) => `${name} ${index}`)).size === 1) return first;
  return { left: found.map(({ reading }) => `${reading.name} from ${reading.first}`) };
}

/**
 * Finds the only reading of the two numbers that explains every page. `all` is the whole list in order. If there is not exactly one,
 * returns the names of the possible readings.
 */
export function readSegments(all: readonly string[], pages: readonly PageSeen[]): Read {
  const most = Math.max(...pages.map(({ entries }) => entries.length));
  const explaining = readings.filter(
    (reading) =>
      pages.every((page) => agrees(reading, all, page, most)) && confirmations(reading, all, pages) >= ENOUGH,
  );
  const [reading] = explaining;
  if (reading && explaining.length === 1) return { reading };
  return { left: explaining.map(({ name, first }) => `${name} from ${first}`) };
}

/** True if a reading explains a page. `most` is the length of the longest page: the service may limit pages to it. */
function agrees({ window }: Reading, all: readonly string[], { n1, n2, entries }: PageSeen, most: number): boolean {
  const range = window(n1, n2);
  if (!range) return true;
  const expected = all.slice(range[0], range[1]);
  return isDeepStrictEqual(entries, entries.length === most ? expected.slice(0, most) : expected);
}

function confirmations({ window }: Reading, all: readonly string[], pages: readonly PageSeen[]): number {
  return pages.filter(
    ({ n1, n2, entries }) => window(n1, n2) !== undefined && entries.length > 0 && entries.length < all.length,
  ).length;
}

/** The order of a list by the creation of its entries; `undefined` if they are neither in that order nor in the reverse. */
export function orderOf(made: readonly string[], listed: readonly string[]): string | undefined {
  const ours = listed.filter((key) => made.includes(key));
  if (isDeepStrictEqual(ours, made)) return 'oldest first';
  return isDeepStrictEqual(ours, [...made].reverse()) ? 'newest first' : undefined;
}
