import type { Span } from '../status/time-spans.ts';
import type { HistoryDatabase } from './database.ts';
import { addLatency, decodeLatencies, encodeLatencies, type Latencies, newLatencies } from './histogram.ts';

export const HOUR = 3_600_000;
export const DAY = 86_400_000;
const sizes = [HOUR, DAY] as const;

export interface RunCounts {
  /** Runs that took place. */
  readonly runs: number;
  /** Runs whose first attempt could be judged. */
  readonly judged: number;
  /** Runs whose first attempt passed: the service-level indicator. */
  readonly good: number;
  readonly degraded: number;
  readonly retried: number;
  /** Planned, but the previous run was still in progress. */
  readonly skipped: number;
  /** Planned, but the machine was suspended or overloaded. */
  readonly missed: number;
}

const names = ['runs', 'judged', 'good', 'degraded', 'retried', 'skipped', 'missed'] as const;

export const none: RunCounts = { runs: 0, judged: 0, good: 0, degraded: 0, retried: 0, skipped: 0, missed: 0 };

export function addCounts(a: RunCounts, b: RunCounts): RunCounts {
  return Object.fromEntries(names.map((name) => [name, a[name] + b[name]])) as unknown as RunCounts;
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
    const sum = addCounts((known as unknown as RunCounts | undefined) ?? none, { ...none, ...counts });
    let latency = (known?.latency as string | null | undefined) ?? null;
    if (ms !== undefined) {
      const latencies = latency ? decodeLatencies(latency) : newLatencies();
      addLatency(latencies, ms);
      latency = encodeLatencies(latencies);
    }
    const values = names.map((name) => sum[name]);
    db.run(
      'INSERT OR REPLACE INTO rollup (scenario, size, start, runs, judged, good, degraded, retried, skipped, missed, latency) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
      scenario,
      size,
      start,
      ...values,
      latency,
    );
  }
}

export function buckets(db: HistoryDatabase, scenario: number, size: number, { from, to }: Span): Bucket[] {
  const rows = db.all(
    'SELECT * FROM rollup WHERE scenario = ? AND size = ? AND start >= ? AND start < ? ORDER BY start',
    scenario,
    size,
    Math.floor(from / size) * size,
    to,
  );
  return rows.map(({ latency, ...row }) => ({ ...row, ...(latency ? { latency } : {}) }) as unknown as Bucket);
}

/** The sum of buckets, with one merged histogram of the same accuracy. */
export function mergeBuckets(all: readonly Bucket[]): { readonly counts: RunCounts; readonly latencies: Latencies } {
  const latencies = newLatencies();
  for (const { latency } of all) if (latency) latencies.add(decodeLatencies(latency));
  return { counts: all.reduce<RunCounts>(addCounts, none), latencies };
}
