/** Does `work` for each of `all`, at most `most` at a time; the results are in the order of `all`. */
export async function atMost<T, R>(most: number, all: readonly T[], work: (each: T) => Promise<R>): Promise<R[]> {
  const results = new Array<R>(all.length);
  const entries = all.entries();
  const next = async () => {
    // The lanes share one iterator, so each entry is taken once.
    for (const [index, each] of entries) results[index] = await work(each);
  };
  await Promise.all(Array.from({ length: Math.min(most, all.length) }, next));
  return results;
}
