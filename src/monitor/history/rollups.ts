import type { Span } from '../status/uptime.ts';
import type { HistoryDatabase } from './database.ts';

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

export function sumOf(all: readonly Partial<RunCounts>[]): RunCounts {
  const sum = (name: (typeof names)[number]) => all.reduce((counted, counts) => counted + (counts[name] ?? 0), 0);
  return Object.fromEntries(names.map((name) => [name, sum(name)])) as RunCounts;
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
  const values = names.map((name) => counts[name] ?? 0);
  db.run(ADD, scenario, Math.floor(at), ms ?? null, ...values);
}

const sums = names.map((name) => `${name} = ${name} + excluded.${name}`);
const ADD = `INSERT INTO rollup (scenario, size, start, latency, ${names.join(', ')})
  SELECT ?1, column1, ?2 - ?2 % column1, with_latency(NULL, ?3), ${names.map(() => '?').join(', ')}
    FROM (VALUES (${HOUR}), (${DAY})) WHERE true
  ON CONFLICT DO UPDATE SET latency = with_latency(latency, ?3), ${sums.join(', ')}`;

export function buckets(db: HistoryDatabase, scenario: number, size: number, { from, to }: Span): Bucket[] {
  const sql = 'SELECT * FROM rollup WHERE scenario = ? AND size = ? AND start >= ? AND start < ? ORDER BY start';
  const rows = db.all(sql, scenario, size, Math.floor(from / size) * size, to);
  return rows.map((row) => db.fields<Bucket>(row));
}
