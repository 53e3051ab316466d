type Pair = readonly [n1: number, n2: number];
export type Segment = 'n1' | 'n2';

/** A meaning of the two numbers of a list, which the specification doesn't show (part 4, rule 6). */
export interface SegmentMeaning {
  readonly name: string;
  /** The number that is the size of a page; absent if both are places. */
  readonly size?: Segment;
  /** The entries of a page, from the first index to before the last; `undefined` if the meaning doesn't cover the numbers. */
  readonly window: (first: number, n1: number, n2: number) => readonly [from: number, to: number] | undefined;
  /** The numbers of page `index` (from 0), where those of the first page are given, and how many entries it has. */
  readonly pageAt: (start: Pair, index: number, entries: number) => Pair;
}

/** One number is the size of a page, the other one its place, in entries or in pages. A size of 0 may mean none or all, so it is not covered. */
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

/** All meanings that a survey can distinguish. */
export const segmentMeanings: readonly SegmentMeaning[] = [
  sized('offset/limit', 'n2'),
  sized('limit/offset', 'n1'),
  sized('page/size', 'n2', true),
  sized('size/page', 'n1', true),
  {
    name: 'from/to',
    // Counted from 0, last exclusive; or counted from 1, last inclusive.
    window: (first, from, to) => (from < first || to < from ? undefined : [from - first, to]),
    pageAt: ([from, to], index, entries) => [from + index * entries, to + index * entries],
  },
];

/** The meaning that a fact about paging names. */
export function segmentMeaningOf(fact: string | undefined): SegmentMeaning | undefined {
  return segmentMeanings.find(({ name }) => fact?.startsWith(name));
}

/** The number that counts as the size where no fact says so. */
export function largerSegment({ n1, n2 }: Readonly<Record<Segment, string>>): Segment {
  return Number(n1) > Number(n2) ? 'n1' : 'n2';
}

/** Whether a list of so many entries is complete: hardly any service cuts one that has fewer than ten. */
export function isCompleteList(entries: number): boolean {
  return entries < 10;
}
