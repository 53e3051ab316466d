/** Does every piece of work, at most `width` at once, in the order given; resolves with the results in that order. */
export async function pool<Work, Result>(
  all: readonly Work[],
  width: number,
  run: (work: Work) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const left = all.entries();
  const lane = async () => {
    for (const [index, work] of left) results[index] = await run(work);
  };
  await Promise.all(Array.from({ length: width }, lane));
  return results;
}
