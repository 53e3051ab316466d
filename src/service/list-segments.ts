type Pair = readonly [n1: number, n2: number];
export type Segment = 'n1' | 'n2';

/** One possible meaning of the two numbers in the path of a list. The specification doesn't explain these numbers (part 4, rule 6). */
export interface SegmentMeaning {
  readonly name: string;
  /** The number that is the size of a page; absent if both numbers are positions. */
  readonly size?: Segment;
  /**
   * The entries of a page, as indexes: `from` inclusive, `to` exclusive. `first` is the position of the first entry or page, 0 or 1.
   * `undefined` if this meaning doesn't allow these numbers.
   */
  readonly window: (first: number, n1: number, n2: number) => readonly [from: number, to: number] | undefined;
  /**
   * The numbers for page `index` (counted from 0). `start` has the numbers for page 0, and `entries` is the number of entries on page 0.
   */
  readonly pageAt: (start: Pair, index: number, entries: number) => Pair;
}

/**
 * A meaning in which one number is the size of a page, and the other its position, counted in entries or in pages. It allows no size of 0,
 * because 0 may mean no entries or all entries.
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

/** The possible meanings of the two numbers in the path of a list. A survey finds out which of them applies to the service. */
export const segmentMeanings: readonly SegmentMeaning[] = [
  sized('offset/limit', 'n2'),
  sized('limit/offset', 'n1'),
  sized('page/size', 'n2', true),
  sized('size/page', 'n1', true),
  {
    name: 'from/to',
    // The end `to` needs no correction by `first`: counted from 0 to an exclusive last position, or from 1 to an inclusive one, both ranges
    // end before the index `to`.
    window: (first, from, to) => (from < first || to < from ? undefined : [from - first, to]),
    pageAt: ([from, to], index, entries) => [from + index * entries, to + index * entries],
  },
];

/** The meaning that a fact about paging names. A survey finds out this fact. */
export function segmentMeaningOf(fact: string | undefined): SegmentMeaning | undefined {
  return segmentMeanings.find(({ name }) => fact?.startsWith(name));
}

/** The number that Sextant uses as the page size if the environment has no fact about paging. */
export function largerSegment({ n1, n2 }: Readonly<Record<Segment, string>>): Segment {
  return Number(n1) > Number(n2) ? 'n1' : 'n2';
}

/**
 * Whether Sextant treats a list with this number of entries as complete: hardly any service divides a list into pages of fewer than ten entries.
 */
export function isCompleteList(entries: number): boolean {
  return entries < 10;
}
