import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CataloguedFault, Variant } from '../../reference-service/index.ts';
import { drillDocument } from './documents.ts';
import { type FaultOutcome, problemsOfOne, type Red, type VariantOutcome } from './outcome.ts';

const fault: CataloguedFault = { name: 'f', operation: 'block', kind: 'state', grade: 'documented', breaks: 'row 1' };
const variant: Variant = { name: 'v', operation: 'block', correctBecause: 'part 4' };
const red: Red = { title: 's', verdict: 'failed' };
const unjudged: Red = { title: 's', verdict: 'unknown', reason: 'throttled' };

const of = (change: Partial<CataloguedFault>, reds: readonly Red[], ran = ['s']): FaultOutcome => ({
  fault: { ...fault, ...change },
  ran,
  red: reds,
  unproven: [],
  skipped: [],
});
const on = (reds: readonly Red[], ran = ['s']): VariantOutcome => ({
  variant,
  ran,
  red: reds,
  unproven: [],
  skipped: [],
});

const rows: [name: string, outcome: FaultOutcome | VariantOutcome, problem: RegExp | undefined][] = [
  ['a fault that is caught', of({}, [red]), undefined],
  ['a fault that is not', of({}, []), /f is not caught \(documented; it violates: row 1\)/],
  ['a fault that could not be judged', of({}, [unjudged]), /f is not caught/],
  ['a survivor that survives', of({ survives: 'nothing reads it' }, []), undefined],
  ['a survivor that is caught', of({ survives: 'nothing reads it' }, [red]), /catalogue lists it as a survivor/],
  ['a fault that nothing was run for', of({ survives: 'x' }, [], []), /no scenario ran/],
  ['a variant that passes', on([]), undefined],
  ['a variant that fails', on([red]), /v is a valid variant \(part 4\), but "s" is failed/],
  ['a variant that could not be judged', on([unjudged]), /"s" is unknown: throttled/],
  ['a variant that nothing was run for', on([], []), /no scenario ran/],
];

for (const [name, outcome, problem] of rows) {
  test(name, () => {
    const found = problemsOfOne(outcome);
    if (problem) assert.match(found.join('\n'), problem);
    else assert.deepEqual(found, []);
  });
}

test('the JSON document has exactly the fields of its contract', () => {
  const document = drillDocument({ faults: [of({}, [red, unjudged]), of({ name: 'g' }, [])], variants: [on([red])] });
  assert.deepEqual(document, {
    faults: [
      { name: 'f', kind: 'state', caughtBy: ['s'], grade: 'documented' },
      { name: 'g', kind: 'state', caughtBy: [], grade: 'documented' },
    ],
    score: 50,
    falseAlarms: [{ name: 'v', scenario: 's', reason: null }],
  });
});
