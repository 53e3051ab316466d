import type { Span } from '../status/uptime.ts';
import type { HistoryDatabase } from './database.ts';
import { bucketOf } from './latencies.ts';

export const HOUR = 3_600_000;
export const DAY = 86_400_000;

const names = [
  'runs',
  // Runs whose first attempt could be judged.
  'judged',
  // Runs whose first attempt passed: the service-level indicator.
  'good',
  'degraded',
  'retried',
] as const;

export type RunCounts = Readonly<Record<(typeof names)[number], number>>;

export function sumOf(all: readonly RunCounts[]): RunCounts {
  const sum = (name: (typeof names)[number]) => all.reduce((counted, counts) => counted + counts[name], 0);
  return Object.fromEntries(names.map((name) => [name, sum(name)])) as RunCounts;
}

export interface Bucket extends RunCounts {
  readonly start: number;
  /** The counts of latencies as JSON, for `percentiles`. */
  readonly latency: string;
}

const ADD = `INSERT INTO rollup (scenario, size, start, latency, ${names})
  SELECT ?1, column1, ?2 - ?2 % column1, json_set('{}', ?3, 1), ${names.map(() => '?')}
    FROM (VALUES (${HOUR}), (${DAY})) WHERE true
  ON CONFLICT DO UPDATE SET latency = json_set(latency, ?3, coalesce(latency ->> ?3, 0) + 1),
    ${names.map((name) => `${name} = ${name} + excluded.${name}`)}`;

/** Adds a run to the roll-ups of the hour and of the day (UTC) that contain `at`, an epoch in ms. `ms` is the latency of a judged run. */
export function addToRollups(
  db: HistoryDatabase,
  scenario: number,
  at: number,
  counts: Partial<RunCounts>,
  ms?: number,
): void {
  // Without a latency, the path is NULL: then SQLite's `json_set` changes nothing.
  const path = ms === undefined ? null : `$."${bucketOf(ms)}"`;
  db.run(ADD, scenario, Math.floor(at), path, ...names.map((name) => counts[name] ?? 0));
}

export function buckets(db: HistoryDatabase, scenario: number, size: number, { from, to }: Span): Bucket[] {
  const sql = 'SELECT * FROM rollup WHERE scenario = ? AND size = ? AND start >= ? AND start < ? ORDER BY start';
  return db.all(sql, scenario, size, Math.floor(from / size) * size, to);
}
