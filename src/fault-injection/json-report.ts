import { caughtBy } from './detection.ts';
import type { Drilled } from './drilled.ts';
import { score } from './score.ts';

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
