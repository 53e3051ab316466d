/**
 * Each latency is counted in a bucket. The buckets start at 0.1 ms, and each is 5 % wider than the one below. So a percentile is accurate
 * to 2.5 %, even for the sum of many hours. The counts are stored as JSON, by the number of the bucket.
 */
const GROWTH = Math.log(1.05);
const LEAST_MS = 0.1;

export function bucketOf(ms: number): number {
  return Math.max(0, Math.ceil(Math.log(ms / LEAST_MS) / GROWTH));
}

/** The upper bound of a bucket, in ms. */
function boundOf(bucket: number): number {
  return LEAST_MS * Math.exp(bucket * GROWTH);
}

function countsOf(latency: string): [bucket: number, count: number][] {
  return Object.entries<number>(JSON.parse(latency)).map(([bucket, count]) => [Number(bucket), count]);
}

/** The number of runs in each bucket, by the upper bound of the bucket in ms. */
export function countsByBound(latency: string): Readonly<Record<string, number>> {
  return Object.fromEntries(countsOf(latency).map(([bucket, count]) => [boundOf(bucket).toPrecision(4), count]));
}

/** Percentiles of the latencies of all runs together, in ms, e.g. p95 for 95; `undefined` if no latency was recorded. */
export function percentiles(
  all: readonly { readonly latency: string }[],
  percents: readonly number[],
): (number | undefined)[] {
  const counts: number[] = [];
  for (const [bucket, count] of all.flatMap(({ latency }) => countsOf(latency)))
    counts[bucket] = (counts[bucket] ?? 0) + count;
  const total = counts.reduce((sum, count) => sum + count, 0);
  return percents.map((percent) => {
    let left = Math.max(1, Math.ceil((total * percent) / 100));
    const bucket = counts.findIndex((count = 0) => {
      left -= count;
      return left <= 0;
    });
    // Take the middle of the bucket: it differs from the true value by at most half the bucket's width.
    return bucket < 0 ? undefined : boundOf(bucket - 0.5);
  });
}
