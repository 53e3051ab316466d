import { caughtBy } from './detection.ts';
import type { Drilled } from './drilled.ts';
import { score } from './score.ts';
import type { Spread } from './spread/drill-spread.ts';
import type { SpreadResult } from './spread/spread-score.ts';
import { byReading } from './spread/summary.ts';

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

/** The readings in `drill --json`. */
export function spreadDocument(spread: Spread, results: readonly SpreadResult[]) {
  const total = score(results.map(({ fault, caughtBy: by }) => ({ ...fault, caughtBy: by })));
  return {
    /** Percent of fault × readings that were caught. */
    score: total.percent,
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
