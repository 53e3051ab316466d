type Pair = readonly [n1: number, n2: number];
export type Segment = 'n1' | 'n2';

/** A possible meaning of the two numbers in the path of a list, which the specification doesn't explain (part 4, rule 6). */
export interface SegmentMeaning {
  readonly name: string;
  /** The number that is the size of a page; absent if both numbers are positions. */
  readonly size?: Segment;
  /**
   * The entries of a page, as indexes: `from` inclusive, `to` exclusive. `first` is the position of the first entry or page, 0 or 1.
   * `undefined` if this meaning doesn't cover the numbers.
   */
  readonly window: (first: number, n1: number, n2: number) => readonly [from: number, to: number] | undefined;
  /** The numbers for page `index` (counted from 0). `start` has the numbers for the first page, `entries` is the number of its entries. */
  readonly pageAt: (start: Pair, index: number, entries: number) => Pair;
}

/**
 * A meaning in which one number is the size of a page, and the other number its position, counted in entries or in pages. It doesn't cover
 * a size of 0, which may mean no entries or all of them.
 */
function sized(name: string, size: Segment, isByPage = false): SegmentMeaning {
  const ordered = (place: number, length: number): Pair => (size === 'n2' ? [place, length] : [length, place]);
  return {
    name,
    size,
    window: (first, n1, n2) => {
      const [place, length] = ordered(n1, n2);
      if (place < first || length === 0) return undefined;
      const from = (place - first) * (isByPage ? length : 1);
      return [from, from + length];
    },
    pageAt: ([n1, n2], index, entries) => {
      const [place, length] = ordered(n1, n2);
      return isByPage ? ordered(place + index, entries) : ordered(place + index * entries, length);
    },
  };
}

/** The possible meanings of the two numbers in the path of a list. A survey finds out which one this service uses. */
export const segmentMeanings: readonly SegmentMeaning[] = [
  sized('offset/limit', 'n2'),
  sized('limit/offset', 'n1'),
  sized('page/size', 'n2', true),
  sized('size/page', 'n1', true),
  {
    name: 'from/to',
    // A service may count from 0 to an exclusive last position, or from 1 to an inclusive one. Both end at `to`.
    window: (first, from, to) => (from < first || to < from ? undefined : [from - first, to]),
    pageAt: ([from, to], index, entries) => [from + index * entries, to + index * entries],
  },
];

/** The meaning that a fact about paging names. A survey finds out this fact. */
export function segmentMeaningOf(fact: string | undefined): SegmentMeaning | undefined {
  return segmentMeanings.find(({ name }) => fact?.startsWith(name));
}

/** The number that counts as the page size if the environment has no fact about paging. */
export function largerSegment({ n1, n2 }: Readonly<Record<Segment, string>>): Segment {
  return Number(n1) > Number(n2) ? 'n1' : 'n2';
}

/** Whether a list with this number of entries counts as complete. Hardly any service cuts a list to fewer than ten entries. */
export function isCompleteList(entries: number): boolean {
  return entries < 10;
}
