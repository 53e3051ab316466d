/** What the two path segments of a list were, and the entries that came, by their keys in their order. */
export interface PageSeen {
  readonly n1: number;
  readonly n2: number;
  readonly entries: readonly string[];
}

/** One reading of the two segments. */
export interface Reading {
  readonly name: string;
  readonly first: 0 | 1;
  /** From the first index up to but without the last; `undefined` where the reading says nothing of a pair. */
  readonly window: (n1: number, n2: number) => readonly [from: number, to: number] | undefined;
}

type Rule = (first: number, a: number, b: number) => readonly [from: number, to: number] | undefined;

const offsetLimit: Rule = (first, offset, limit) =>
  offset < first || limit === 0 ? undefined : [offset - first, offset - first + limit];
const pageSize: Rule = (first, page, size) =>
  page < first || size === 0 ? undefined : [(page - first) * size, (page - first + 1) * size];
/** Counted from 0 without the last, counted from 1 with it. */
const fromTo: Rule = (first, from, to) => (from < first || to < from ? undefined : [from - first, to]);

/** Every reading that is told from the others. A size of 0 may mean none or any, so nothing is concluded from it. */
export const readings: readonly Reading[] = ([0, 1] as const).flatMap((first) => [
  { name: 'offset/limit', first, window: (n1, n2) => offsetLimit(first, n1, n2) },
  { name: 'limit/offset', first, window: (n1, n2) => offsetLimit(first, n2, n1) },
  { name: 'page/size', first, window: (n1, n2) => pageSize(first, n1, n2) },
  { name: 'size/page', first, window: (n1, n2) => pageSize(first, n2, n1) },
  { name: 'from/to', first, window: (n1, n2) => fromTo(first, n1, n2) },
]);
