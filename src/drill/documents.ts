import { caughtBy, type Drilled, score } from './outcome.ts';

export function drillDocument(drilled: Pick<Drilled, 'faults' | 'variants'>) {
  const rows = drilled.faults.map((outcome) => ({
    name: outcome.fault.name,
    kind: outcome.fault.kind,
    caughtBy: caughtBy(outcome),
    grade: outcome.fault.grade,
  }));
  return {
    faults: rows,
    score: score(rows).percent,
    falseAlarms: drilled.variants.flatMap(({ variant, red }) =>
      red.map(({ title, reason }) => ({ name: variant.name, scenario: title, reason: reason ?? null })),
    ),
  };
}
