import { isDeepStrictEqual } from 'node:util';
import { type PageSeen, type Reading, readings } from './window.ts';

/** A reading must be borne out by this many pages that aren't the whole list and aren't empty. */
const ENOUGH = 3;

/**
 * The one reading of the two segments that explains every page seen; `all` is the whole list in its order. Otherwise the
 * names of those that are left, or of none.
 */
export function readSegments(
  all: readonly string[],
  pages: readonly PageSeen[],
): { readonly reading: Reading } | { readonly left: readonly string[] } {
  const most = Math.max(...pages.map(({ entries }) => entries.length));
  const explaining = readings.filter(
    (reading) => pages.every((page) => agrees(reading, all, page, most)) && telling(reading, all, pages) >= ENOUGH,
  );
  const [reading] = explaining;
  if (reading && explaining.length === 1) return { reading };
  return { left: explaining.map(({ name, first }) => `${name} from ${first}`) };
}

/** `most` entries is the longest page there was: a longer one may have been cut to it. */
function agrees({ window }: Reading, all: readonly string[], { n1, n2, entries }: PageSeen, most: number): boolean {
  const range = window(n1, n2);
  if (!range) return true;
  const expected = all.slice(range[0], range[1]);
  return isDeepStrictEqual(entries, entries.length === most ? expected.slice(0, most) : expected);
}

function telling({ window }: Reading, all: readonly string[], pages: readonly PageSeen[]): number {
  return pages.filter(
    ({ n1, n2, entries }) => window(n1, n2) !== undefined && entries.length > 0 && entries.length < all.length,
  ).length;
}

/** How a list is ordered, from the order in which its entries were made; `undefined` when it is neither. */
export function orderOf(made: readonly string[], listed: readonly string[]): string | undefined {
  const ours = listed.filter((key) => made.includes(key));
  if (isDeepStrictEqual(ours, made)) return 'oldest first';
  return isDeepStrictEqual(ours, [...made].reverse()) ? 'newest first' : undefined;
}
