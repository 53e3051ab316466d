import { type Phases, phaseNames } from '../../client/index.ts';
import type { Span } from '../status/uptime.ts';
import type { HistoryDatabase } from './database.ts';
import { addEncoded, type Latencies, newLatencies, withLatency } from './histogram.ts';

export const HOUR = 3_600_000;
export const DAY = 86_400_000;
const sizes = [HOUR, DAY] as const;

const names = [
  'runs',
  // Runs whose first attempt could be judged.
  'judged',
  // Runs whose first attempt passed: the service-level indicator.
  'good',
  'degraded',
  'retried',
  // Planned, but the previous run was still in progress.
  'skipped',
  // Planned, but the machine was suspended or overloaded.
  'missed',
] as const;

export type RunCounts = Readonly<Record<(typeof names)[number], number>>;

export function sumOf(all: readonly Partial<RunCounts>[]): RunCounts {
  const sum = (name: (typeof names)[number]) => all.reduce((counted, counts) => counted + (counts[name] ?? 0), 0);
  return Object.fromEntries(names.map((name) => [name, sum(name)])) as RunCounts;
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
    const sum = sumOf([(known as unknown as RunCounts | undefined) ?? {}, counts]);
    const before = (known?.latency as string | null | undefined) ?? undefined;
    const latency = measured ? withLatency(before, measured.ms) : before;
    const phases = withPhases(phaseSumsIn(db, known?.phases), measured?.phases);
    db.insert('rollup', { ...sum, scenario, size, start, latency, phases }, 'INSERT OR REPLACE');
  }
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

export function mergedLatencies(all: readonly Bucket[]): Latencies {
  const latencies = newLatencies();
  for (const { latency } of all) if (latency) addEncoded(latencies, latency);
  return latencies;
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
  if (!sums || !phases) return phases ? { runs: 1, ms: phases } : sums;
  const ms: Phases = {};
  for (const name of phaseNames) {
    const sum = (sums.ms[name] ?? 0) + (phases[name] ?? 0);
    if (sum > 0) ms[name] = Number(sum.toFixed(1));
  }
  return { runs: sums.runs + 1, ms };
}

/** The mean of each phase over the runs, in ms. */
export function meanPhases({ runs, ms }: PhaseSums): Phases {
  return Object.fromEntries(Object.entries(ms).map(([name, sum]) => [name, sum / runs])) as Phases;
}
