import type { HistoryDatabase } from '../history/database.ts';
import { downSpans, flips, pastMaintenance } from '../history/flips.ts';
import { type Latencies, percentile } from '../history/histogram.ts';
import { addCounts, type Bucket, buckets, DAY, HOUR, mergeBuckets, none, type RunCounts } from '../history/rollups.ts';
import { type FailureRow, gaps, lastFailures, lastRuns, type RunRow } from '../history/runs.ts';
import type { KnownScenario } from '../history/scenarios.ts';
import type { Span } from '../status/time-spans.ts';
import { type Uptime, uptime } from '../status/uptime.ts';

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

/** The history of one scenario, summarised. */
export interface StatusSummary {
  readonly windows: readonly WindowSummary[];
  /** The last 90 days, oldest first. */
  readonly days: readonly DaySummary[];
  /** Of the last 24 hours, in ms. */
  readonly p50?: number;
  readonly p95?: number;
  /** By hour, the last 24, oldest first; p95 in ms. */
  readonly hours: readonly (number | undefined)[];
  readonly lastRun?: RunRow;
  readonly lastFailure?: FailureRow;
}

const DAYS = 90;

export function summariseScenario(db: HistoryDatabase, known: KnownScenario, now: number): StatusSummary {
  const year = { from: now - 365 * DAY, to: now };
  const down = downSpans(flips(db, known.id));
  const maintenance = pastMaintenance(db, known.environment);
  const blind = [...gaps(db, known.id, year), ...currentGap(known, now)];
  const uptimeIn = (window: Span) => uptime({ window, firstRunAt: known.firstRun, down, maintenance, gaps: blind });
  const daily = buckets(db, known.id, DAY, year);
  const hourly = buckets(db, known.id, HOUR, { from: now - DAY, to: now });
  const today = Math.floor(now / DAY) * DAY;
  const starts = Array.from({ length: DAYS }, (_, index) => today - (DAYS - 1 - index) * DAY);
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
    days: starts.map((start) => ({
      start,
      ...uptimeIn({ from: start, to: Math.min(start + DAY, now) }),
      runs: byDay.get(start)?.runs ?? 0,
    })),
    hours: hourlyP95(hourly, now),
    ...(p50 === undefined ? {} : { p50 }),
    ...(p95 === undefined ? {} : { p95 }),
    ...(lastRun ? { lastRun } : {}),
    ...(lastFailure ? { lastFailure } : {}),
  };
}

/** p50, p95 and p99 of each window, in ms, accurate to a histogram bucket; one pass, because each window contains the previous one. */
export function percentilesOf(db: HistoryDatabase, { id }: KnownScenario, now: number): (number | undefined)[][] {
  const hours = buckets(db, id, HOUR, { from: now - DAY, to: now });
  const days = buckets(db, id, DAY, { from: now - 365 * DAY, to: now });
  const { latencies } = mergeBuckets([]);
  let done = days.length;
  return windows.map(({ ms }) => {
    if (ms === DAY) return three(mergeBuckets(hours).latencies);
    const first = days.findIndex(({ start }) => start >= now - ms);
    const more = first < 0 ? [] : days.slice(first, done);
    if (first >= 0) done = first;
    latencies.add(mergeBuckets(more).latencies);
    return three(latencies);
  });
}

function three(latencies: Latencies): (number | undefined)[] {
  return [50, 95, 99].map((percent) => percentile(latencies, percent));
}

/** The current span without judged runs, if any. */
function currentGap({ standing, lastJudged, firstRun }: KnownScenario, now: number): Span[] {
  const from = standing.blindSince ?? lastJudged ?? firstRun;
  const quiet = 3 * HOUR;
  return standing.blindSince !== undefined || now - from > quiet ? [{ from, to: now }] : [];
}

function sum(all: readonly Bucket[]): RunCounts {
  return all.reduce<RunCounts>(addCounts, none);
}

function hourlyP95(all: readonly Bucket[], now: number): (number | undefined)[] {
  const byStart = new Map(all.map((bucket) => [bucket.start, bucket]));
  const last = Math.floor(now / HOUR) * HOUR;
  return Array.from({ length: 24 }, (_, index) => {
    const bucket = byStart.get(last - (23 - index) * HOUR);
    return bucket && percentile(mergeBuckets([bucket]).latencies, 95);
  });
}
