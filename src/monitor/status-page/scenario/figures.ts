import type { HistoryDatabase } from '../../history/database.ts';
import { downSpans, flips } from '../../history/incidents.ts';
import { mergedLatencies, percentile } from '../../history/latencies.ts';
import { buckets, DAY, HOUR, sumOf } from '../../history/rollups.ts';
import { gaps, isGood, lastRuns } from '../../history/runs.ts';
import type { KnownScenario } from '../../history/scenarios.ts';
import { pastMaintenance } from '../../recording/calendar.ts';
import { type Span, type Uptime, uptimeWithin } from '../../status/uptime.ts';
import { dayCode } from '../parts.ts';
import type { ScenarioFigures } from '../view.ts';

/** Reads the figures; takes a few milliseconds. */
export function figuresOf(db: HistoryDatabase, known: KnownScenario, now: number): ScenarioFigures {
  const uptimeIn = uptimeOf(db, known, now);
  const days = buckets(db, known.id, DAY, { from: now - DAYS * DAY, to: now });
  const runs = new Map(days.map((bucket) => [bucket.start, bucket.runs]));
  const p95 = percentile(mergedLatencies(buckets(db, known.id, HOUR, { from: now - DAY, to: now })), 95);
  const [lastRun] = lastRuns(db, known.id, 1, now);
  // Days are those of UTC.
  const today = Math.floor(now / DAY) * DAY;
  const code = (start: number) =>
    dayCode(uptimeIn({ from: start, to: Math.min(start + DAY, now) }).ratio, runs.get(start) ?? 0);
  return {
    days: Array.from({ length: DAYS }, (_, index) => code(today - (DAYS - 1 - index) * DAY)).join(''),
    quarter: uptimeIn({ from: now - DAYS * DAY, to: now }),
    month: uptimeIn({ from: now - 30 * DAY, to: now }),
    isRetried: lastRun?.retry !== undefined && isGood(lastRun),
    ...(p95 === undefined ? {} : { p95 }),
  };
}

const windows = [
  { name: '24 h', ms: DAY },
  { name: '7 d', ms: 7 * DAY },
  { name: '30 d', ms: 30 * DAY },
  { name: '90 d', ms: 90 * DAY },
  { name: 'year', ms: 365 * DAY },
] as const;

const DAYS = 90;

export type WindowSummary = ReturnType<typeof windowsOf>[number];

/** The history of one scenario by windows, for its page. */
export function windowsOf(db: HistoryDatabase, known: KnownScenario, now: number) {
  const uptimeIn = uptimeOf(db, known, now);
  const daily = buckets(db, known.id, DAY, { from: now - 365 * DAY, to: now });
  const hourly = buckets(db, known.id, HOUR, { from: now - DAY, to: now });
  return windows.map(({ name, ms }) => ({
    name,
    ...uptimeIn({ from: now - ms, to: now }),
    counts: sumOf(ms === DAY ? hourly : daily.filter(({ start }) => start >= now - ms)),
  }));
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

function currentGap({ standing, lastJudged, firstRun }: KnownScenario, now: number): Span[] {
  if (lastJudged === undefined) return [{ from: firstRun, to: now }];
  const from = standing.unjudgedSince ?? lastJudged;
  const quiet = 3 * HOUR;
  return standing.unjudgedSince !== undefined || now - from > quiet ? [{ from, to: now }] : [];
}
