import type { HistoryDatabase } from '../history/database.ts';
import { percentile } from '../history/histogram.ts';
import { addCounts, type Bucket, buckets, DAY, HOUR, mergeBuckets, none, type RunCounts } from '../history/rollups.ts';
import { type FailureRow, lastFailures, lastRuns, type RunRow } from '../history/runs.ts';
import type { KnownScenario } from '../history/scenarios.ts';
import type { Uptime } from '../status/uptime.ts';
import { uptimeOf } from './observed-uptime.ts';

/** The windows that uptime is shown for. */
export const windows = [
  { name: '24 h', ms: DAY },
  { name: '7 d', ms: 7 * DAY },
  { name: '30 d', ms: 30 * DAY },
  { name: '90 d', ms: 90 * DAY },
  { name: 'year', ms: 365 * DAY },
] as const;

export interface WindowSummary extends Uptime {
  readonly name: string;
  readonly counts: RunCounts;
}

export interface DaySummary extends Uptime {
  /** Start of the day, UTC; epoch, in ms. */
  readonly start: number;
  readonly runs: number;
}

/** The history of one scenario, summarised for its page. */
export interface StatusSummary {
  readonly windows: readonly WindowSummary[];
  /** The last 90 days, oldest first. */
  readonly days: readonly DaySummary[];
  /** Of the last 24 hours, in ms. */
  readonly p50?: number;
  readonly p95?: number;
  readonly lastRun?: RunRow;
  readonly lastFailure?: FailureRow;
}

/** Days of a bar. */
export const DAYS = 90;

/** The starts of the last 90 days, UTC, oldest first. */
export function dayStarts(now: number): number[] {
  const today = Math.floor(now / DAY) * DAY;
  return Array.from({ length: DAYS }, (_, index) => today - (DAYS - 1 - index) * DAY);
}

export function summariseScenario(db: HistoryDatabase, known: KnownScenario, now: number): StatusSummary {
  const uptimeIn = uptimeOf(db, known, now);
  const daily = buckets(db, known.id, DAY, { from: now - 365 * DAY, to: now });
  const hourly = buckets(db, known.id, HOUR, { from: now - DAY, to: now });
  const byDay = new Map(daily.map((bucket) => [bucket.start, bucket]));
  const { latencies } = mergeBuckets(hourly);
  const [p50, p95] = [percentile(latencies, 50), percentile(latencies, 95)];
  const [lastRun] = lastRuns(db, known.id, 1);
  const [lastFailure] = lastFailures(db, known.id, 1);
  return {
    windows: windows.map(({ name, ms }) => ({
      name,
      ...uptimeIn({ from: now - ms, to: now }),
      counts: sum(ms === DAY ? hourly : daily.filter(({ start }) => start >= now - ms)),
    })),
    days: dayStarts(now).map((start) => ({
      start,
      ...uptimeIn({ from: start, to: Math.min(start + DAY, now) }),
      runs: byDay.get(start)?.runs ?? 0,
    })),
    ...(p50 === undefined ? {} : { p50 }),
    ...(p95 === undefined ? {} : { p95 }),
    ...(lastRun ? { lastRun } : {}),
    ...(lastFailure ? { lastFailure } : {}),
  };
}

function sum(all: readonly Bucket[]): RunCounts {
  return all.reduce<RunCounts>(addCounts, none);
}
