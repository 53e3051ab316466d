import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { faults, variants } from '../../reference-service/index.ts';
import { outcomeLine } from '../../src/cli/drill/report.ts';
import {
  drill,
  drillTasks,
  type FaultOutcome,
  problemsOfOne,
  problemsOfSpread,
  spread,
  spreadResults,
  spreadTasks,
  type TaskOutcome,
} from '../../src/drill/index.ts';
import { catchers, committedMatrix, differences, matrixOf } from './matrix.ts';
import { columns, page, pageOf } from './matrix-page.ts';

/*
 * The drill as part of `npm test`. Each fault is played only with scenarios that caught it in the last complete drill: only with the
 * hand-written ones, if at least one of them caught it. These scenarios must catch the fault again. If they miss it, or no scenario caught
 * it in that drill, the fault is played with all scenarios. Only `npm run drill:matrix` finds out which other scenarios catch a fault.
 */
const committed = committedMatrix();
const folders = await columns();
/**
 * Whether a scenario is hand-written. Only hand-written scenarios catch the same faults in each drill, so only these can be compared with
 * the last drill. The faults that model tests catch depend on random steps, and the faults that generated specs catch depend on the order
 * of cases.
 */
const isComparable = (title: string) => folders.get(title) === 'scenarios';
const only = catchers(committed, isComparable);

/** Tries only one in `ROW_IN` readings of the specification and one in `FAULT_IN` faults. To try all of them would take two minutes. */
const ROW_IN = 9;
const FAULT_IN = 6;
const sample = spreadTasks({
  faults: faults.filter(({ survives }) => !survives).filter((_, index) => index % FAULT_IN === 0),
  rows: [...spread.keys()].filter((row) => row % ROW_IN === 0),
  perFault: 1,
  only,
});

const first = await drill({ faults, variants, only });
const isAsBefore = (outcome: FaultOutcome) =>
  problemsOfOne(outcome).length === 0 &&
  differences(committed, matrixOf({ faults: [outcome], variants: [] }), isComparable).length === 0;
const changed = first.faults.filter((outcome) => !isAsBefore(outcome)).map(({ fault }) => fault);
const again = await drill({ faults: changed, variants: [] });
const drilled = [...first.faults.filter(isAsBefore), ...again.faults];

for (const outcome of [...drilled, ...first.variants])
  test(outcomeLine(outcome), () => assert.deepEqual(problemsOfOne(outcome), []));

test('the kill matrix is up to date', async () => {
  assert.deepEqual([drilled.length, first.variants.length], [faults.length, variants.length], 'all are played');
  const found = matrixOf({ faults: drilled, variants: first.variants });
  assert.deepEqual(differences(committed, found, isComparable), [], 'npm run drill:matrix');
  assert.equal(readFileSync(page, 'utf8'), await pageOf(committed), 'npm run drill:matrix');
});

test(`${sample.length} tasks on other readings are as expected`, async () => {
  const played = await drillTasks(sample);
  const missed = new Set(spreadResults(played, faults).flatMap(({ fault, why }) => (why ? fault.name : [])));
  const isMissed = ({ task }: TaskOutcome) => missed.has(task.change ?? '');
  // A fault that its chosen scenarios have missed is played again, with all scenarios.
  const whole = await drillTasks(played.filter(isMissed).map(({ task: { only: _, ...task } }) => task));
  const found = [...played.filter((outcome) => !isMissed(outcome)), ...whole];
  assert.equal(found.length, sample.length);
  assert.deepEqual(problemsOfSpread(found, spreadResults(found, faults)), []);
});
