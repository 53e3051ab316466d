/** One list of several groups, each in its order and spread evenly over the whole. */
export function mixed<T>(groups: readonly (readonly T[])[]): T[] {
  return groups
    .flatMap((group) => group.map((item, index) => ({ item, at: (index + 0.5) / group.length })))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}
