import type { HistoryDatabase } from '../history/database.ts';
import { percentile } from '../history/histogram.ts';
import { buckets, DAY, HOUR, mergeBuckets, runsByDay } from '../history/rollups.ts';
import { lastRuns } from '../history/runs.ts';
import type { KnownScenario } from '../history/scenarios.ts';
import type { Uptime } from '../status/uptime.ts';
import { uptimeOf } from './observed-uptime.ts';
import { DAYS, dayStarts } from './status-summary.ts';

/** A day in a bar: without data, up, partly down (from 99 % up), down. */
export type DayCode = '-' | 'u' | 'p' | 'd';

/** The figures of a scenario's line, few enough to be kept for every scenario. */
export interface ScenarioFigures {
  /** A `DayCode` for each of the last 90 days, oldest first. */
  readonly days: string;
  /** Of 90 days. */
  readonly quarter: Uptime;
  /** Of 30 days. */
  readonly month: Uptime;
  /** Of the last 24 hours, in ms. */
  readonly p95?: number;
  /** Whether the last run passed on its second attempt. */
  readonly isRetried: boolean;
}

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
