import { setImmediate as othersTurn } from 'node:timers/promises';
import type { HistoryDatabase } from '../history/database.ts';
import { downSpans, flips } from '../history/incidents.ts';
import { percentiles } from '../history/latencies.ts';
import { type Bucket, buckets, DAY, HOUR, sumOf } from '../history/rollups.ts';
import { gaps, isGood, lastRuns } from '../history/runs.ts';
import type { KnownScenario } from '../history/scenarios.ts';
import { pastMaintenance } from '../recording/calendar.ts';
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
/**
 * Maximum age of a scenario's figures, in ms. A page reads them again after each run of the scenario. Without a run, it reads older ones again,
 * because the day may have changed, or somebody may have announced maintenance.
 */
const OLD_MS = 60_000;
/** Between two runs, a page computes uptimes once in this time, in ms. So readers of the same moments get the same page, which is searched only once. */
const STEP_MS = 5_000;

/** After reading figures for this time, in ms, `figuresReader` pauses, so that other work of the process can go on. */
const AT_ONCE_MS = 8;

/**
 * Reads the figures of scenarios one by one, because those of a whole page take tens of milliseconds. A page that needs only a few of them doesn't
 * wait for other work.
 */
export function figuresReader(db: HistoryDatabase) {
  const read = new Map<number, { readonly at: number; readonly of: KnownScenario; readonly figuresAt: FiguresAt }>();
  /** Until when all pages together may read in this turn of the event loop; `undefined` if none has read in it yet. */
  let turnEnds: number | undefined;
  const ownTurn = async () => {
    while (turnEnds !== undefined && performance.now() > turnEnds) await othersTurn();
    if (turnEnds !== undefined) return;
    turnEnds = performance.now() + AT_ONCE_MS;
    void othersTurn().then(() => {
      turnEnds = undefined;
    });
  };
  return async (scenario: KnownScenario): Promise<Figures> => {
    const current = () => {
      const last = read.get(scenario.id);
      // Each run that is recorded replaces the object of its scenario.
      return last?.of === scenario && performance.now() - last.at < OLD_MS ? last.figuresAt : undefined;
    };
    let figuresAt = current();
    if (!figuresAt) {
      await ownTurn();
      // While this page waited, another one may have read them.
      figuresAt = current();
    }
    if (!figuresAt) {
      figuresAt = figuresOf(db, scenario, Date.now());
      read.set(scenario.id, { at: performance.now(), of: scenario, figuresAt });
    }
    return figuresAt(Date.now());
  };
}

export type ReadFigures = ReturnType<typeof figuresReader>;

/** The figures at a time soon after the history was read: an uptime grows or falls between two runs, too. */
type FiguresAt = (now: number) => Figures;

function figuresOf(db: HistoryDatabase, scenario: KnownScenario, now: number): FiguresAt {
  const uptimeAt = uptimeOf(db, scenario, now);
  const uptimeIn = uptimeAt(now);
  const of = buckets(db, scenario.id, DAY, { from: now - DAYS * DAY, to: now });
  const runs = new Map(of.map((bucket) => [bucket.start, bucket.runs]));
  const [lastRun] = lastRuns(db, scenario.id, 1, now);
  const today = Math.floor(now / DAY) * DAY;
  const code = (start: number) =>
    dayCode(uptimeIn({ from: start, to: Math.min(start + DAY, now) }).ratio, runs.get(start) ?? 0);
  const ofRuns = {
    days: Array.from({ length: DAYS }, (_, index) => code(today - (DAYS - 1 - index) * DAY)).join(''),
    p95: percentilesOf(buckets(db, scenario.id, HOUR, { from: now - DAY, to: now })).p95,
    reason: lastRun?.reason,
    isRetried: lastRun?.retry !== undefined && isGood(lastRun),
  };
  return (at) => {
    const later = Math.max(now, Math.floor(at / STEP_MS) * STEP_MS);
    const laterIn = uptimeAt(later);
    const within = (ms: number) => laterIn({ from: later - ms, to: later });
    return { ...ofRuns, quarter: within(DAYS * DAY), month: within(30 * DAY) };
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
  const uptimeIn = uptimeOf(db, known, now)(now);
  const daily = buckets(db, known.id, DAY, { from: now - 365 * DAY, to: now });
  const hourly = buckets(db, known.id, HOUR, { from: now - DAY, to: now });
  return Object.entries(windows).map(([name, ms]) => ({
    name,
    ...uptimeIn({ from: now - ms, to: now }),
    counts: sumOf(ms === DAY ? hourly : daily.filter(({ start }) => start >= now - ms)),
  }));
}

/**
 * Reads the history of a scenario once, at `now`. Returns a function of a later time, whose result computes the uptime in any window of the year
 * before that time.
 */
function uptimeOf(db: HistoryDatabase, known: KnownScenario, now: number): (later: number) => (window: Span) => Uptime {
  const year = { from: now - 365 * DAY, to: now };
  const past = gaps(db, known.id, year);
  const inputs = {
    firstRunAt: known.firstRun,
    down: downSpans(flips(db, known.id)),
    maintenance: pastMaintenance(db, known.environment),
  };
  return (later) =>
    uptimeWithin({
      ...inputs,
      window: { from: later - 365 * DAY, to: later },
      gaps: [...past, ...currentGap(known, later)],
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
