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

/** The readings in `drill --json`. `src/fault-injection/spread.json` contains the latest complete run. */
export function spreadDocument(spread: Spread, results: readonly SpreadResult[]) {
  const total = score(results);
  return {
    /** Percent of faults × readings that were caught. */
    score: total.percent,
    caught: total.caught,
    of: total.of,
    /** How many combinations of readings were drilled. */
    combinations: spread.alone.length,
    readings: byReading(spread, results),
    survivors: results.flatMap(({ fault, on, why }) =>
      why ? [{ name: fault.name, grade: fault.grade, on, why }] : [],
    ),
  };
}

export type SpreadDocument = ReturnType<typeof spreadDocument>;

/** Where the last whole spread is kept, for docs/kill-matrix.md. */
export const spreadFile = join(import.meta.dirname, '..', 'spread.json');

const none: SpreadDocument = { score: 0, caught: 0, of: 0, combinations: 0, readings: [], survivors: [] };

/** The committed spread; an empty one where there is none yet. */
export function committedSpread(): SpreadDocument {
  return existsSync(spreadFile) ? (JSON.parse(readFileSync(spreadFile, 'utf8')) as SpreadDocument) : none;
}
