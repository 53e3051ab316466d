import {
  decodeFromCompressedBase64,
  encodeIntoCompressedBase64,
  type Histogram,
  Int32Histogram,
} from 'hdr-histogram-js';
import type { Span } from '../status/uptime.ts';
import type { HistoryDatabase } from './database.ts';

export const HOUR = 3_600_000;
export const DAY = 86_400_000;
const sizes = [HOUR, DAY] as const;

const names = [
  'runs',
  // Runs whose first attempt could be judged.
  'judged',
  // Runs whose first attempt passed: the service-level indicator.
  'good',
  'degraded',
  'retried',
  // Planned, but the previous run was still in progress.
  'skipped',
  // Planned, but the machine was suspended or overloaded.
  'missed',
] as const;

export type RunCounts = Readonly<Record<(typeof names)[number], number>>;

export function sumOf(all: readonly Partial<RunCounts>[]): RunCounts {
  const sum = (name: (typeof names)[number]) => all.reduce((counted, counts) => counted + (counts[name] ?? 0), 0);
  return Object.fromEntries(names.map((name) => [name, sum(name)])) as RunCounts;
}

export interface Bucket extends RunCounts {
  readonly start: number;
  readonly latency?: string;
}

/** Adds to the hour and the day of `at` (UTC); `ms` is the latency of a judged run. */
export function addToRollups(
  db: HistoryDatabase,
  scenario: number,
  at: number,
  counts: Partial<RunCounts>,
  ms?: number,
): void {
  for (const size of sizes) {
    const start = Math.floor(at / size) * size;
    const known = db.get('SELECT * FROM rollup WHERE scenario = ? AND size = ? AND start = ?', scenario, size, start);
    const sum = sumOf([(known as unknown as RunCounts | undefined) ?? {}, counts]);
    const before = (known?.latency as string | null | undefined) ?? undefined;
    const latency = ms === undefined ? before : withLatency(before, ms);
    db.insert('rollup', { ...sum, scenario, size, start, latency }, 'INSERT OR REPLACE');
  }
}

export function buckets(db: HistoryDatabase, scenario: number, size: number, { from, to }: Span): Bucket[] {
  const sql = 'SELECT * FROM rollup WHERE scenario = ? AND size = ? AND start >= ? AND start < ? ORDER BY start';
  const rows = db.all(sql, scenario, size, Math.floor(from / size) * size, to);
  return rows.map((row) => db.fields<Bucket>(row));
}

export function mergedLatencies(all: readonly Bucket[]): Latencies {
  const latencies = newLatencies();
  for (const { latency } of all) if (latency) addEncoded(latencies, latency);
  return latencies;
}

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

/** Only for the places of values. */
const scale = newLatencies();

/** In ms; absent if nothing was recorded. */
export function percentile(latencies: Latencies, percent: number): number | undefined {
  return latencies.totalCount === 0 ? undefined : latencies.getValueAtPercentile(percent) / 1000;
}

/** Adds what a text of `withLatency` holds, and returns `latencies`. Only a packed part needs a histogram of its own. */
export function addEncoded(latencies: Latencies, text: string): Latencies {
  const [packed = '', single = ''] = text.split(MARK);
  if (packed) latencies.add(decodeFromCompressedBase64(packed));
  const digit = (at: number) => DIGITS.indexOf(single.charAt(at));
  for (let at = 0; at < single.length; at += 2)
    latencies.recordValue(scale.valueFromIndex(digit(at) * 64 + digit(at + 1)));
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
