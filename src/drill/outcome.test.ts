import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CataloguedFault, Variant } from '../../reference-service/index.ts';
import { drillDocument } from './documents.ts';
import { type FaultOutcome, problemsOfOne, type Red, type TaskOutcome, type VariantOutcome } from './outcome.ts';
import { problemsOfSpread, type SpreadResult, spreadResults } from './spread-score.ts';

const fault: CataloguedFault = { name: 'f', operation: 'block', kind: 'state', grade: 'documented', breaks: 'row 1' };
const variant: Variant = { name: 'v', operation: 'block', correctBecause: 'part 4' };
const redOf = (title: string, verdict: Red['verdict'] = 'failed'): Red => ({ title, verdict, reason: 'because' });
const red: Red = { title: 's', verdict: 'failed' };
const unjudged: Red = { title: 's', verdict: 'unknown', reason: 'throttled' };

const none = { unproven: [], skipped: [] };
const of = (change: Partial<CataloguedFault>, reds: readonly Red[], ran = ['s']): FaultOutcome => ({
  ...none,
  ...{ fault: { ...fault, ...change }, ran, red: reds },
});
const on = (reds: readonly Red[], ran = ['s']): VariantOutcome => ({ ...none, variant, ran, red: reds });

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

const outcomeOf = (change: Partial<TaskOutcome>): TaskOutcome => ({
  ...none,
  task: { row: 0 },
  ran: ['a', 'b'],
  red: [],
  ...change,
});
const withFault = (change: Partial<TaskOutcome>) => outcomeOf({ task: { change: 'f', row: 0 }, ...change });

const onReadings: [
  what: string,
  alone: TaskOutcome,
  broken: TaskOutcome,
  caughtBy: string[],
  why: SpreadResult['why'],
][] = [
  ['a scenario that goes red', outcomeOf({}), withFault({ red: [redOf('a')] }), ['a'], undefined],
  [
    'one that was red before, and another',
    outcomeOf({ red: [redOf('a')] }),
    withFault({ red: [redOf('a'), redOf('b')] }),
    ['b'],
    undefined,
  ],
  [
    'one that was red before',
    outcomeOf({ red: [redOf('a')] }),
    withFault({ red: [redOf('a')] }),
    [],
    'its scenario fails without it',
  ],
  ['one that could not be judged', outcomeOf({}), withFault({ red: [redOf('a', 'unknown')] }), [], 'it is not seen'],
  ['nothing', outcomeOf({}), withFault({}), [], 'it is not seen'],
  [
    'nothing, and one that proves nothing',
    outcomeOf({}),
    withFault({ unproven: ['c'] }),
    [],
    'its scenario proves nothing there',
  ],
];

for (const [what, alone, broken, caughtBy, why] of onReadings) {
  test(`a fault on readings turns red: ${what}`, () => {
    const [result] = spreadResults([alone, broken], [fault]);
    assert.deepEqual([result?.caughtBy, result?.why], [caughtBy, why]);
  });
}

test('a spread is not a success with an alarm on a correct service, or a documented fault that nothing catches', () => {
  const alone = [outcomeOf({ red: [redOf('a'), redOf('b')] })];
  const missed: SpreadResult = { fault, on: 'x=y', row: 0, caughtBy: [], why: 'it is not seen' };
  const unproven: SpreadResult = { ...missed, why: 'its scenario proves nothing there' };
  const assumed = { ...missed, fault: { ...fault, grade: 'assumed' as const } };
  const [alarm = '', survivor = '', ...more] = problemsOfSpread(alone, [missed, unproven, assumed]);
  assert.match(alarm, /"a" is failed, and 1 more failed, on a correct service \(.+\): because/);
  assert.match(survivor, /f is not caught \(it is not seen\) on x=y/);
  assert.deepEqual(more, []);
});
