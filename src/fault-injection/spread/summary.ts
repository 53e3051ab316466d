import { type Score, score } from '../score.ts';
import type { Spread } from './drill-spread.ts';
import type { Row } from './pairwise.ts';
import { dimensions, spread as rows } from './readings.ts';
import type { SpreadResult } from './spread-score.ts';

/** The outcome of all rows with one reading. */
export interface ReadingSummary {
  readonly on: string;
  readonly passed: number;
  readonly alarms: number;
  readonly unproven: number;
  readonly skipped: number;
  /** Faults that were drilled on it. */
  readonly score: Score;
}

/** Every reading of every question, over all the rows that have it. */
export function byReading(spread: Spread, results: readonly SpreadResult[]): ReadingSummary[] {
  const drilled = drilledRows(spread);
  return Object.entries(dimensions).flatMap(([question, readings]) =>
    readings.flatMap((reading) => {
      const having = drilled.filter((row) => (rows[row] as Row)[question] === reading);
      return having.length > 0 ? [summaryOf(`${question}=${reading}`, new Set(having), spread, results)] : [];
    }),
  );
}

function drilledRows({ alone }: Spread): number[] {
  return alone.map(({ task }) => task.row).sort((a, b) => a - b);
}

function summaryOf(
  on: string,
  of: ReadonlySet<number>,
  { alone }: Spread,
  results: readonly SpreadResult[],
): ReadingSummary {
  const here = alone.filter(({ task }) => of.has(task.row));
  const sum = (count: (outcome: (typeof here)[number]) => number) =>
    here.reduce((total, each) => total + count(each), 0);
  return {
    on,
    passed: sum(({ ran, red }) => ran.length - red.length),
    alarms: sum(({ red }) => red.length),
    unproven: sum(({ unproven }) => unproven.length),
    skipped: sum(({ skipped }) => skipped.length),
    score: score(results.filter(({ row }) => of.has(row)).map(({ fault, caughtBy }) => ({ ...fault, caughtBy }))),
  };
}
