import {
  decodeFromCompressedBase64,
  encodeIntoCompressedBase64,
  type Histogram,
  Int32Histogram,
} from 'hdr-histogram-js';

/** Latencies as a mergeable histogram: accurate to 1 % (two significant digits), from 1 µs to one hour. */
export type Latencies = Histogram;

/** In µs. */
const MOST = 3_600_000_000;
/** Behind the packed histogram; it has no such character. */
const MARK = ':';
/** The digits of base64: two of them hold every place of the histogram. */
const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
/** Latencies that stand behind the histogram before they are packed: those of an hour at one a minute need no histogram. */
const MOST_SINGLE = 64;

export function newLatencies(): Int32Histogram {
  return new Int32Histogram(1, MOST, 2);
}

export function mergedLatencies(all: readonly { readonly latency?: string }[]): Latencies {
  const latencies = newLatencies();
  for (const { latency } of all) if (latency) addEncoded(latencies, latency);
  return latencies;
}

/** Only for the places of values. */
const scale = newLatencies();

/** In ms; absent if nothing was recorded. */
export function percentile(latencies: Latencies, percent: number): number | undefined {
  return latencies.totalCount === 0 ? undefined : latencies.getValueAtPercentile(percent) / 1000;
}

/** Adds what a text of `withLatency` holds, and returns `latencies`. Only a packed part needs a histogram of its own. */
export function addEncoded(latencies: Latencies, text: string): Latencies {
  const [packed = '', single = ''] = text.split(MARK);
  const digit = (at: number) => DIGITS.indexOf(single.charAt(at));
  try {
    for (let at = 0; at < single.length; at += 2)
      latencies.recordValue(scale.valueFromIndex(digit(at) * 64 + digit(at + 1)));
    if (packed) latencies.add(decodeFromCompressedBase64(packed));
  } catch {
    // What is damaged is left out: neither the runs of that hour and day nor the page of their scenario may be lost for it.
  }
  return latencies;
}

/**
 * The text with one more latency. To unpack and pack a histogram takes longer than all else that is written for a run, so the latest
 * latencies stand behind it, each as its place in the histogram: as exact as in it.
 */
export function withLatency(text: string | undefined, ms: number): string {
  const [packed = '', single = ''] = text?.split(MARK) ?? [];
  const microseconds = Math.min(MOST, Math.max(1, Math.round(ms * 1000)));
  const index = scale.countsArrayIndex(microseconds);
  const more = `${packed}${MARK}${single}${DIGITS.charAt(index >> 6)}${DIGITS.charAt(index & 63)}`;
  return single.length < 2 * (MOST_SINGLE - 1) ? more : packedLatencies(more);
}

/** The text in the HdrHistogram format that other programs read. */
export function packedLatencies(text: string): string {
  return text.includes(MARK) ? encodeIntoCompressedBase64(addEncoded(newLatencies(), text)) : text;
}
