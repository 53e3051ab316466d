import { isDeepStrictEqual } from 'node:util';
import { type PageSeen, type Reading, readings } from './window.ts';

/** A reading must be confirmed by this many pages that are neither empty nor the whole list. */
const ENOUGH = 3;

/**
 * The only reading of the two segments that explains every page; `all` is the whole list in order. Otherwise the
 * names of the remaining ones, if any.
 */
export function readSegments(
  all: readonly string[],
  pages: readonly PageSeen[],
): { readonly reading: Reading } | { readonly left: readonly string[] } {
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
