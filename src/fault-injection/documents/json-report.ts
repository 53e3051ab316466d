import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { caughtBy } from '../detection.ts';
import type { Drilled } from '../drilled.ts';
import { score } from '../score.ts';
import type { Spread } from '../spread/drill-spread.ts';
import { byReading, type SpreadResult } from '../spread/spread-score.ts';

/** The document that `drill --json` prints. */
export function drillDocument({ faults, variants }: Drilled) {
  const rows = faults.map((outcome) => ({
    name: outcome.fault.name,
    kind: outcome.fault.kind,
    caughtBy: caughtBy(outcome),
    grade: outcome.fault.grade,
  }));
  return {
    faults: rows,
    /** Percentage of caught faults. */
    score: score(rows).percent,
    falseAlarms: variants.flatMap(({ variant, red }) =>
      red.map(({ title, reason }) => ({ name: variant.name, scenario: title, reason: reason ?? null })),
    ),
  };
}

export interface SpreadDocument {
  /** Percent of faults × readings that were caught. */
  readonly score: number;
  readonly caught: number;
  readonly of: number;
  /** How many combinations of readings were drilled. */
  readonly combinations: number;
  readonly readings: readonly {
    readonly reading: string;
    readonly passed: number;
    readonly alarms: number;
    readonly unproven: number;
    readonly skipped: number;
    readonly faults: number;
    readonly caught: number;
  }[];
  readonly survivors: readonly {
    readonly name: string;
    readonly grade: string;
    readonly on: string;
    readonly why: string;
  }[];
}

/** The readings in `drill --json`. `src/fault-injection/spread.json` contains the latest complete run. */
export function spreadDocument(spread: Spread, results: readonly SpreadResult[]): SpreadDocument {
  const total = score(results.map(({ fault, caughtBy: by }) => ({ ...fault, caughtBy: by })));
  return {
    score: total.percent,
    caught: total.caught,
    of: total.of,
    combinations: spread.alone.length,
    readings: byReading(spread, results).map(({ on, score: { caught, of }, ...counts }) => ({
      reading: on,
      ...counts,
      faults: of,
      caught,
    })),
    survivors: results.flatMap(({ fault, on, why }) =>
      why ? [{ name: fault.name, grade: fault.grade, on, why }] : [],
    ),
  };
}

/** Where the last whole spread is kept, for docs/kill-matrix.md. */
export const spreadFile = join(import.meta.dirname, '..', 'spread.json');

const none: SpreadDocument = { score: 0, caught: 0, of: 0, combinations: 0, readings: [], survivors: [] };

/** The committed spread; an empty one where there is none yet. */
export function committedSpread(): SpreadDocument {
  return existsSync(spreadFile) ? (JSON.parse(readFileSync(spreadFile, 'utf8')) as SpreadDocument) : none;
}
