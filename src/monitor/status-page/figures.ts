import { setImmediate as othersTurn } from 'node:timers/promises';
import type { HistoryDatabase } from '../history/database.ts';
import { downSpans, flips } from '../history/incidents.ts';
import { percentiles } from '../history/latencies.ts';
import { type Bucket, buckets, DAY, HOUR, sumOf } from '../history/rollups.ts';
import { gaps, isGood, lastRuns } from '../history/runs.ts';
import type { KnownScenario } from '../history/scenarios.ts';
import { pastMaintenance } from '../recording/calendar.ts';
import { type Status, statusOf } from '../status/status.ts';
import { type Span, type Uptime, uptimeWithin } from '../status/uptime.ts';

/** The state of one day in a bar: `-` no data, `u` always up, `p` up for at least 99 % of the time, `d` up for less. */
export type DayCode = '-' | 'u' | 'p' | 'd';

/** The figures that the line of a scenario shows. */
export interface Figures {
  /** A `DayCode` for each of the last 90 days (UTC), oldest first. */
  readonly days: string;
  readonly quarter: Uptime;
  readonly month: Uptime;
  /** 95th percentile of the latencies of the last 24 hours, in ms. */
  readonly p95: number | undefined;
  /** The reason why the last run was not simply good. */
  readonly reason?: string | undefined;
  /** Whether the last run failed at first, and then passed on retry. */
  readonly isRetried: boolean;
}

const DAYS = 90;
/** If somebody opens a page, figures that are older than this are read again, in ms. */
const OLD_MS = 60_000;
/** The same limit for a scenario that is not up, in ms. It is shorter, because a reader wants to see how an outage grows. */
const BAD_OLD_MS = 5_000;

/** After reading figures for this time, in ms, `figuresReader` pauses, so that other work of the process can go on. */
const AT_ONCE_MS = 8;

/** Reads the figures of scenarios one by one, because the figures of each take a few milliseconds. */
export function figuresReader(db: HistoryDatabase) {
  const read = new Map<number, { readonly at: number; readonly status: Status; readonly figures: Figures }>();
  let turnEnds = 0;
  return async (scenario: KnownScenario): Promise<Figures> => {
    const last = read.get(scenario.id);
    const at = performance.now();
    const status = statusOf(scenario.standing);
    if (last?.status === status && at - last.at < (status === 'up' ? OLD_MS : BAD_OLD_MS)) return last.figures;
    if (at > turnEnds) {
      await othersTurn();
      turnEnds = performance.now() + AT_ONCE_MS;
    }
    const figures = figuresOf(db, scenario, Date.now());
    read.set(scenario.id, { at, status, figures });
    return figures;
  };
}

export type ReadFigures = ReturnType<typeof figuresReader>;

function figuresOf(db: HistoryDatabase, scenario: KnownScenario, now: number): Figures {
  const uptimeIn = uptimeOf(db, scenario, now);
  const of = buckets(db, scenario.id, DAY, { from: now - DAYS * DAY, to: now });
  const runs = new Map(of.map((bucket) => [bucket.start, bucket.runs]));
  const [lastRun] = lastRuns(db, scenario.id, 1, now);
  const today = Math.floor(now / DAY) * DAY;
  const code = (start: number) =>
    dayCode(uptimeIn({ from: start, to: Math.min(start + DAY, now) }).ratio, runs.get(start) ?? 0);
  return {
    days: Array.from({ length: DAYS }, (_, index) => code(today - (DAYS - 1 - index) * DAY)).join(''),
    quarter: uptimeIn({ from: now - DAYS * DAY, to: now }),
    month: uptimeIn({ from: now - 30 * DAY, to: now }),
    p95: percentilesOf(buckets(db, scenario.id, HOUR, { from: now - DAY, to: now })).p95,
    reason: lastRun?.reason,
    isRetried: lastRun?.retry !== undefined && isGood(lastRun),
  };
}

/** The average uptime of several scenarios in one window. */
export function averageOf(all: readonly Uptime[]): Uptime {
  const [downMs = 0, observedMs = 0, withoutData = 0] = (['downMs', 'observedMs', 'withoutData'] as const).map(
    (of) => all.reduce((sum, one) => sum + one[of], 0) / all.length,
  );
  return { ...(observedMs > 0 ? { ratio: 1 - downMs / observedMs } : {}), downMs, observedMs, withoutData };
}

export function dayCode(ratio: number | undefined, runs: number): DayCode {
  if (runs === 0 || ratio === undefined) return '-';
  if (ratio === 1) return 'u';
  return ratio >= 0.99 ? 'p' : 'd';
}

const windows = { '24 h': DAY, '7 d': 7 * DAY, '30 d': 30 * DAY, '90 d': 90 * DAY, year: 365 * DAY } as const;

export type WindowSummary = ReturnType<typeof windowsOf>[number];

/** The uptime of a scenario and its counts of runs, in each window of time (e.g. 30 days), for the scenario's page. */
export function windowsOf(db: HistoryDatabase, known: KnownScenario, now: number) {
  const uptimeIn = uptimeOf(db, known, now);
  const daily = buckets(db, known.id, DAY, { from: now - 365 * DAY, to: now });
  const hourly = buckets(db, known.id, HOUR, { from: now - DAY, to: now });
  return Object.entries(windows).map(([name, ms]) => ({
    name,
    ...uptimeIn({ from: now - ms, to: now }),
    counts: sumOf(ms === DAY ? hourly : daily.filter(({ start }) => start >= now - ms)),
  }));
}

/** Reads the history of a scenario once. Returns a function that computes the uptime in any window of the last year. */
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

function currentGap({ standing, lastJudged, firstRun }: KnownScenario, now: number): Span[] {
  if (lastJudged === undefined) return [{ from: firstRun, to: now }];
  const from = standing.unjudgedSince ?? lastJudged;
  const quiet = 3 * HOUR;
  return standing.unjudgedSince !== undefined || now - from > quiet ? [{ from, to: now }] : [];
}

/** The spans of time for which latency is shown; `step` is the span of one point. */
export const ranges = [
  { name: '24h', title: '24 hours', ms: DAY, step: HOUR },
  { name: '7d', title: '7 days', ms: 7 * DAY, step: HOUR },
  { name: '30d', title: '30 days', ms: 30 * DAY, step: DAY },
  { name: 'year', title: 'a year', ms: 365 * DAY, step: DAY },
] as const;

export type Range = (typeof ranges)[number];

export const percentileNames = ['p50', 'p95', 'p99'] as const;

export type LatencySeries = ReturnType<typeof latencySeries>;

/** The latencies of a range, in ms: a point for each step that has runs, oldest first, and the percentiles of the whole range. */
export function latencySeries(db: HistoryDatabase, scenario: number, range: Range, now: number) {
  const { ms, step } = range;
  const to = Math.floor(now / step) * step + step;
  const from = to - ms;
  const found = buckets(db, scenario, step, { from, to: now });
  const points = found.map((bucket) => ({ start: bucket.start, runs: bucket.runs, ...percentilesOf([bucket]) }));
  return { range, from, to, points, whole: percentilesOf(found) };
}

export type Percentiles = ReturnType<typeof percentilesOf>;

function percentilesOf(of: readonly Bucket[]) {
  const [p50, p95, p99] = percentiles(of, [50, 95, 99]);
  return { p50, p95, p99 };
}
