/** The two path segments of a list request, and the keys of the returned entries in order. */
export interface PageSeen {
  readonly n1: number;
  readonly n2: number;
  readonly entries: readonly string[];
}

/** One reading of the two segments. */
export interface Reading {
  readonly name: string;
  readonly first: 0 | 1;
  /** From the first index to before the last; `undefined` if the reading doesn't cover a pair. */
  readonly window: (n1: number, n2: number) => readonly [from: number, to: number] | undefined;
}

type Rule = (first: number, a: number, b: number) => readonly [from: number, to: number] | undefined;

const offsetLimit: Rule = (first, offset, limit) =>
  offset < first || limit === 0 ? undefined : [offset - first, offset - first + limit];
const pageSize: Rule = (first, page, size) =>
  page < first || size === 0 ? undefined : [(page - first) * size, (page - first + 1) * size];
/** Counted from 0, last exclusive; or counted from 1, last inclusive. */
const fromTo: Rule = (first, from, to) => (from < first || to < from ? undefined : [from - first, to]);

/** Every distinguishable reading. A size of 0 may mean none or all, so nothing is concluded from it. */
export const readings: readonly Reading[] = ([0, 1] as const).flatMap((first) => [
  { name: 'offset/limit', first, window: (n1, n2) => offsetLimit(first, n1, n2) },
  { name: 'limit/offset', first, window: (n1, n2) => offsetLimit(first, n2, n1) },
  { name: 'page/size', first, window: (n1, n2) => pageSize(first, n1, n2) },
  { name: 'size/page', first, window: (n1, n2) => pageSize(first, n2, n1) },
  { name: 'from/to', first, window: (n1, n2) => fromTo(first, n1, n2) },
]);
