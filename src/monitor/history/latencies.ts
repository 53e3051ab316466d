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

/** In ms; absent if nothing was recorded. */
export function percentile(latencies: Latencies, percent: number): number | undefined {
  const total = [...latencies.values()].reduce((sum, count) => sum + count, 0);
  let left = Math.max(1, Math.ceil((total * percent) / 100));
  for (const [bucket, count] of [...latencies].sort(([a], [b]) => a - b)) {
    left -= count;
    // The middle of a bucket is off by half of its width at most.
    if (left <= 0) return boundOf(bucket - 0.5);
  }
  return undefined;
}
