import { pastMaintenance } from '../../history/announced.ts';
import type { HistoryDatabase } from '../../history/database.ts';
import { downSpans, flips } from '../../history/flips.ts';
import { percentile } from '../../history/histogram.ts';
import {
  addCounts,
  type Bucket,
  buckets,
  DAY,
  HOUR,
  mergeBuckets,
  none,
  type RunCounts,
  runsByDay,
} from '../../history/rollups.ts';
import { gaps, lastRuns } from '../../history/runs.ts';
import type { KnownScenario } from '../../history/scenarios.ts';
import { type Span, type Uptime, uptimeWithin } from '../../status/uptime.ts';
import type { ScenarioFigures } from '../view.ts';

/** A day in a bar: without data, up, partly down (from 99 % up), down. */
type DayCode = '-' | 'u' | 'p' | 'd';

/** Reads the figures; takes a few milliseconds. */
export function figuresOf(db: HistoryDatabase, known: KnownScenario, now: number): ScenarioFigures {
  const uptimeIn = uptimeOf(db, known, now);
  const runs = runsByDay(db, known.id, now - DAYS * DAY);
  const p95 = percentile(mergeBuckets(buckets(db, known.id, HOUR, { from: now - DAY, to: now })).latencies, 95);
  const [lastRun] = lastRuns(db, known.id, 1);
  const code = (start: number) =>
    dayCode(uptimeIn({ from: start, to: Math.min(start + DAY, now) }).ratio, runs.get(start) ?? 0);
  return {
    days: dayStarts(now).map(code).join(''),
    quarter: uptimeIn({ from: now - DAYS * DAY, to: now }),
    month: uptimeIn({ from: now - 30 * DAY, to: now }),
    isRetried: lastRun?.retry !== undefined && (lastRun.evidence === 'up' || lastRun.evidence === 'degraded'),
    ...(p95 === undefined ? {} : { p95 }),
  };
}

export function dayCode(ratio: number | undefined, runs: number): DayCode {
  if (runs === 0 || ratio === undefined) return '-';
  if (ratio === 1) return 'u';
  return ratio >= 0.99 ? 'p' : 'd';
}

const gravity = '-upd';

/** The worst of each day. */
export function worstDays(all: readonly string[]): string {
  const length = Math.max(0, ...all.map((days) => days.length));
  return Array.from({ length }, (_, index) =>
    all.reduce<string>((worst, days) => {
      const code = days[index] ?? '-';
      return gravity.indexOf(code) > gravity.indexOf(worst) ? code : worst;
    }, '-'),
  ).join('');
}

/** The windows that uptime is shown for. */
const windows = [
  { name: '24 h', ms: DAY },
  { name: '7 d', ms: 7 * DAY },
  { name: '30 d', ms: 30 * DAY },
  { name: '90 d', ms: 90 * DAY },
  { name: 'year', ms: 365 * DAY },
] as const;

interface WindowSummary extends Uptime {
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
}

/** Days of a bar. */
const DAYS = 90;

/** The starts of the last 90 days, UTC, oldest first. */
function dayStarts(now: number): number[] {
  const today = Math.floor(now / DAY) * DAY;
  return Array.from({ length: DAYS }, (_, index) => today - (DAYS - 1 - index) * DAY);
}

export function summariseScenario(db: HistoryDatabase, known: KnownScenario, now: number): StatusSummary {
  const uptimeIn = uptimeOf(db, known, now);
  const daily = buckets(db, known.id, DAY, { from: now - 365 * DAY, to: now });
  const hourly = buckets(db, known.id, HOUR, { from: now - DAY, to: now });
  const byDay = new Map(daily.map((bucket) => [bucket.start, bucket]));
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
  };
}

function sum(all: readonly Bucket[]): RunCounts {
  return all.reduce<RunCounts>(addCounts, none);
}

/** The uptime of a scenario in any window of the last year; reads the history once. */
function uptimeOf(db: HistoryDatabase, known: KnownScenario, now: number): (window: Span) => Uptime {
  const year = { from: now - 365 * DAY, to: now };
  return uptimeWithin({
    window: year,
    firstRunAt: known.firstRun,
    down: downSpans(flips(db, known.id)),
    maintenance: pastMaintenance(db, known.environment),
    gaps: [...gaps(db, known.id, year), ...currentGap(known, now)],
  });
}

/** The current span without judged runs, if any. */
function currentGap({ standing, lastJudged, firstRun }: KnownScenario, now: number): Span[] {
  if (lastJudged === undefined) return [{ from: firstRun, to: now }];
  const from = standing.unjudgedSince ?? lastJudged;
  const quiet = 3 * HOUR;
  return standing.unjudgedSince !== undefined || now - from > quiet ? [{ from, to: now }] : [];
}
