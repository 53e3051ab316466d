import { setImmediate as othersTurn } from 'node:timers/promises';
import type { HistoryDatabase } from '../../history/database.ts';
import { type Latencies, mergedLatencies, percentile } from '../../history/latencies.ts';
import { buckets, DAY, HOUR } from '../../history/rollups.ts';

/** The time that latency is shown for; `step` is the time of one point. */
export const ranges = [
  { name: '24h', title: '24 hours', ms: DAY, step: HOUR },
  { name: '7d', title: '7 days', ms: 7 * DAY, step: HOUR },
  { name: '30d', title: '30 days', ms: 30 * DAY, step: DAY },
  { name: 'year', title: 'a year', ms: 365 * DAY, step: DAY },
] as const;

export type Range = (typeof ranges)[number];

export const percentileNames = ['p50', 'p95', 'p99'] as const;

export type Percentiles = Readonly<Partial<Record<(typeof percentileNames)[number], number>>>;

export type LatencySeries = Awaited<ReturnType<typeof latencySeries>>;

/** Points counted before others have their turn: some milliseconds. */
const AT_ONCE = 100;

/** Reads the latencies of a range, in ms, without keeping the process busy for long: a point for each step, oldest first, and of the whole range. */
export async function latencySeries(db: HistoryDatabase, scenario: number, range: Range, now: number) {
  const { ms, step } = range;
  const last = Math.floor(now / step) * step;
  const count = Math.round(ms / step);
  const from = last - (count - 1) * step;
  await othersTurn();
  const found = new Map(buckets(db, scenario, step, { from, to: now }).map((bucket) => [bucket.start, bucket]));
  const all = mergedLatencies([...found.values()]);
  const points: (Percentiles & { readonly start: number; readonly runs: number })[] = [];
  for (let index = 0; index < count; index++) {
    const start = from + index * step;
    const bucket = found.get(start);
    const latencies = bucket && mergedLatencies([bucket]);
    points.push({ start, runs: bucket?.runs ?? 0, ...(latencies && percentilesOf(latencies)) });
    if (index % AT_ONCE === AT_ONCE - 1) await othersTurn();
  }
  return { range, from, to: last + step, points, whole: percentilesOf(all) };
}

function percentilesOf(latencies: Latencies): Percentiles {
  const [p50, p95, p99] = [50, 95, 99].map((percent) => percentile(latencies, percent));
  return p50 === undefined || p95 === undefined || p99 === undefined ? {} : { p50, p95, p99 };
}
