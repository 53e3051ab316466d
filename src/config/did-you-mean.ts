import leven from 'leven';

/** ` (did you mean X?)` if one of `known` is similar enough to be a typo; otherwise empty. */
export function didYouMean(given: string, known: readonly string[]): string {
  const most = Math.max(2, given.length / 3);
  // A file of thousands of lines is compared with every key: lengths alone rule out most.
  const distances = known
    .filter((name) => Math.abs(name.length - given.length) <= most)
    .map((name) => ({ name, distance: leven(given.toUpperCase(), name.toUpperCase()) }));
  const [nearest] = distances.sort((a, b) => a.distance - b.distance);
  return nearest && nearest.distance <= most ? ` (did you mean ${nearest.name}?)` : '';
}
