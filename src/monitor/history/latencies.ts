/**
 * Latencies counted in buckets whose bounds grow by 5 %, from 0.1 ms on: a percentile is right to 2.5 %, whatever span of time is merged. By the
 * number of the bucket.
 */
export type Latencies = Map<number, number>;

const GROWTH = Math.log(1.05);
const LEAST_MS = 0.1;

function bucketOf(ms: number): number {
  return Math.max(0, Math.ceil(Math.log(ms / LEAST_MS) / GROWTH));
}

/** The upper bound of a bucket, in ms. */
export function boundOf(bucket: number): number {
  return LEAST_MS * Math.exp(bucket * GROWTH);
}

/** `12:3 40:1`: the bucket, and how many it holds. Text that is damaged counts nothing. */
export function readLatencies(text: string | undefined, into: Latencies = new Map()): Latencies {
  for (const [, bucket, count] of (text ?? '').matchAll(/(\d+):(\d+)/g))
    into.set(Number(bucket), (into.get(Number(bucket)) ?? 0) + Number(count));
  return into;
}

export function mergedLatencies(all: readonly { readonly latency?: string }[]): Latencies {
  const merged: Latencies = new Map();
  for (const { latency } of all) readLatencies(latency, merged);
  return merged;
}

/** The text with one more latency. */
export function withLatency(text: string | undefined, ms: number): string {
  const bucket = bucketOf(ms);
  const before = text ?? '';
  const known = new RegExp(`(?<!\\d)${bucket}:(\\d+)`).exec(before);
  if (!known) return before === '' ? `${bucket}:1` : `${before} ${bucket}:1`;
  const [whole, count] = known;
  return `${before.slice(0, known.index)}${bucket}:${Number(count) + 1}${before.slice(known.index + whole.length)}`;
}

/** The values that these percentages of all runs don't exceed, in ms; undefined if nothing was recorded. Percentages in ascending order. */
export function percentiles(latencies: Latencies, percents: readonly number[]): (number | undefined)[] {
  const sorted = [...latencies].sort(([a], [b]) => a - b);
  const total = sorted.reduce((sum, [, count]) => sum + count, 0);
  let at = 0;
  let counted = sorted[0]?.[1] ?? 0;
  return percents.map((percent) => {
    const rank = Math.max(1, Math.ceil((total * percent) / 100));
    while (counted < rank && at < sorted.length) counted += sorted[++at]?.[1] ?? 0;
    const [bucket] = sorted[at] ?? [];
    // The middle of a bucket is off by half of its width at most.
    return bucket === undefined ? undefined : boundOf(bucket - 0.5);
  });
}
