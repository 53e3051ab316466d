import { isDeepStrictEqual } from 'node:util';
import { segmentMeanings } from '../../service/index.ts';

/** The two path segments of a list request, and the keys of the returned entries in order. */
export interface PageSeen {
  readonly n1: number;
  readonly n2: number;
  readonly entries: readonly string[];
}

export interface Reading {
  readonly name: string;
  readonly first: 0 | 1;
  /** From the first index to before the last; `undefined` if the reading doesn't cover a pair. */
  readonly window: (n1: number, n2: number) => readonly [from: number, to: number] | undefined;
}

/** Every distinguishable reading. */
export const readings: readonly Reading[] = ([0, 1] as const).flatMap((first) =>
  segmentMeanings.map(({ name, window }) => ({ name, first, window: (n1, n2) => window(first, n1, n2) })),
);

/** A reading must be confirmed by this many pages that are neither empty nor the whole list. */
const ENOUGH = 3;

/** The reading that was found, with the order of what has none; or the names of those that are left. */
type Read = { readonly reading: Reading; readonly order?: readonly string[] } | { readonly left: readonly string[] };

/**
 * The same of a map, whose names may be sorted: its entries were created in the order of `made`, and pages are cut from those in
 * this order, the reverse one, or that of their names.
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
 * The only reading of the two segments that explains every page; `all` is the whole list in order. Otherwise the
 * names of the remaining ones, if any.
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

/** `most` is the length of the longest page: a longer one may have been cut to it. */
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

/** The order of a list, from the creation order of its entries; `undefined` if it is neither. */
export function orderOf(made: readonly string[], listed: readonly string[]): string | undefined {
  const ours = listed.filter((key) => made.includes(key));
  if (isDeepStrictEqual(ours, made)) return 'oldest first';
  return isDeepStrictEqual(ours, [...made].reverse()) ? 'newest first' : undefined;
}
