import { type Phases, phaseNames } from '../../client/index.ts';
import type { Span } from '../status/uptime.ts';
import type { HistoryDatabase } from './database.ts';
import { addEncoded, type Latencies, newLatencies, withLatency } from './histogram.ts';

export const HOUR = 3_600_000;
export const DAY = 86_400_000;
const sizes = [HOUR, DAY] as const;

export interface RunCounts {
  /** Runs that took place. */
  readonly runs: number;
  /** Runs whose first attempt could be judged. */
  readonly judged: number;
  /** Runs whose first attempt passed: the service-level indicator. */
  readonly good: number;
  readonly degraded: number;
  readonly retried: number;
  /** Planned, but the previous run was still in progress. */
  readonly skipped: number;
  /** Planned, but the machine was suspended or overloaded. */
  readonly missed: number;
}

const names = ['runs', 'judged', 'good', 'degraded', 'retried', 'skipped', 'missed'] as const;

export const none: RunCounts = { runs: 0, judged: 0, good: 0, degraded: 0, retried: 0, skipped: 0, missed: 0 };

export function addCounts(a: RunCounts, b: RunCounts): RunCounts {
  return Object.fromEntries(names.map((name) => [name, a[name] + b[name]])) as unknown as RunCounts;
}

export interface Bucket extends RunCounts {
  readonly start: number;
  readonly latency?: string;
  readonly phases?: PhaseSums;
}

/** The latency of a judged run, in ms, and its phases. */
export interface Measured {
  readonly ms: number;
  readonly phases?: Phases;
}

/** Adds to the hour and the day of `at` (UTC). */
export function addToRollups(
  db: HistoryDatabase,
  scenario: number,
  at: number,
  counts: Partial<RunCounts>,
  measured?: Measured,
): void {
  for (const size of sizes) {
    const start = Math.floor(at / size) * size;
    const known = db.get('SELECT * FROM rollup WHERE scenario = ? AND size = ? AND start = ?', scenario, size, start);
    const sum = addCounts((known as unknown as RunCounts | undefined) ?? none, { ...none, ...counts });
    const before = (known?.latency as string | null | undefined) ?? undefined;
    const latency = measured ? withLatency(before, measured.ms) : before;
    const phases = withPhases(phaseSumsIn(db, known?.phases), measured?.phases);
    db.insert('rollup', { ...sum, scenario, size, start, latency, phases }, 'INSERT OR REPLACE');
  }
}

/** The number of runs of each day from `since` on, by the start of the day (UTC). */
export function runsByDay(db: HistoryDatabase, scenario: number, since: number): Map<number, number> {
  const rows = db.all(
    'SELECT start, runs FROM rollup WHERE scenario = ? AND size = ? AND start >= ?',
    scenario,
    DAY,
    Math.floor(since / DAY) * DAY,
  );
  return new Map(rows.map(({ start, runs }) => [start as number, runs as number]));
}

export function buckets(db: HistoryDatabase, scenario: number, size: number, { from, to }: Span): Bucket[] {
  const rows = db.all(
    'SELECT * FROM rollup WHERE scenario = ? AND size = ? AND start >= ? AND start < ? ORDER BY start',
    scenario,
    size,
    Math.floor(from / size) * size,
    to,
  );
  return rows.map(({ latency, phases, ...row }) => {
    const sums = phaseSumsIn(db, phases);
    return { ...row, ...(latency ? { latency } : {}), ...(sums ? { phases: sums } : {}) } as unknown as Bucket;
  });
}

/** The sum of buckets, with one merged histogram of the same accuracy. */
export function mergeBuckets(all: readonly Bucket[]): { readonly counts: RunCounts; readonly latencies: Latencies } {
  const latencies = newLatencies();
  for (const { latency } of all) if (latency) addEncoded(latencies, latency);
  return { counts: all.reduce<RunCounts>(addCounts, none), latencies };
}

function phaseSumsIn(db: HistoryDatabase, text: unknown): PhaseSums | undefined {
  return text ? (db.json(text) as PhaseSums) : undefined;
}

/** How many runs had phases, and the sum of each phase over them, in ms. */
interface PhaseSums {
  readonly runs: number;
  readonly ms: Phases;
}

/** The sums with one more run. */
function withPhases(sums: PhaseSums | undefined, phases: Phases | undefined): PhaseSums | undefined {
  return phases ? addPhaseSums(sums, { runs: 1, ms: phases }) : sums;
}

export function addPhaseSums(a: PhaseSums | undefined, b: PhaseSums | undefined): PhaseSums | undefined {
  if (!a || !b) return a ?? b;
  const ms: Phases = {};
  for (const name of phaseNames) {
    const sum = (a.ms[name] ?? 0) + (b.ms[name] ?? 0);
    if (sum > 0) ms[name] = Number(sum.toFixed(1));
  }
  return { runs: a.runs + b.runs, ms };
}

/** The mean of each phase over the runs, in ms. */
export function meanPhases({ runs, ms }: PhaseSums): Phases {
  return Object.fromEntries(Object.entries(ms).map(([name, sum]) => [name, sum / runs])) as Phases;
}
