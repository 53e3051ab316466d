import leven from 'leven';

/** ` (did you mean X?)` if one of `known` is similar enough to be a typo; otherwise empty. */
export function didYouMean(given: string, known: readonly string[]): string {
  const distance = (name: string) => leven(given.toUpperCase(), name.toUpperCase());
  const nearest = [...known].sort((a, b) => distance(a) - distance(b))[0];
  return nearest && distance(nearest) <= Math.max(2, given.length / 3) ? ` (did you mean ${nearest}?)` : '';
}
