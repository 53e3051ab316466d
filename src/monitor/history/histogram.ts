import { build, decodeFromCompressedBase64, encodeIntoCompressedBase64, type Histogram } from 'hdr-histogram-js';

/** Latencies as a mergeable histogram: accurate to 1 % (two significant digits), from 1 µs to one hour. */
export type Latencies = Histogram;

const BITS = 32;

export function newLatencies(): Latencies {
  return build({
    bitBucketSize: BITS,
    numberOfSignificantValueDigits: 2,
    lowestDiscernibleValue: 1,
    highestTrackableValue: 3_600_000_000,
    useWebAssembly: false,
  });
}

export function addLatency(latencies: Latencies, ms: number): void {
  latencies.recordValue(Math.min(3_600_000_000, Math.max(1, Math.round(ms * 1000))));
}

/** In ms; absent if nothing was recorded. */
export function percentile(latencies: Latencies, percent: number): number | undefined {
  return latencies.totalCount === 0 ? undefined : latencies.getValueAtPercentile(percent) / 1000;
}

export function encodeLatencies(latencies: Latencies): string {
  return encodeIntoCompressedBase64(latencies);
}

export function decodeLatencies(text: string): Latencies {
  return decodeFromCompressedBase64(text, BITS, false);
}
