import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CataloguedFault } from '../../reference-service/index.ts';
import type { Red, TaskOutcome } from './outcome.ts';
import { problemsOfSpread, type SpreadResult, spreadResults } from './spread-score.ts';

const fault: CataloguedFault = { name: 'f', operation: 'block', kind: 'state', grade: 'documented', breaks: 'row 1' };

const red = (title: string, verdict: Red['verdict'] = 'failed'): Red => ({ title, verdict, reason: 'because' });
const outcome = (change: Partial<TaskOutcome>): TaskOutcome => ({
  task: { changes: [], row: 0 },
  ran: ['a', 'b'],
  red: [],
  unproven: [],
  skipped: [],
  ...change,
});
const withFault = (change: Partial<TaskOutcome>) => outcome({ task: { changes: ['f'], row: 0 }, ...change });

const rows: [what: string, alone: TaskOutcome, broken: TaskOutcome, caughtBy: string[], why: SpreadResult['why']][] = [
  ['a scenario that goes red', outcome({}), withFault({ red: [red('a')] }), ['a'], undefined],
  [
    'one that was red before, and another',
    outcome({ red: [red('a')] }),
    withFault({ red: [red('a'), red('b')] }),
    ['b'],
    undefined,
  ],
  [
    'one that was red before',
    outcome({ red: [red('a')] }),
    withFault({ red: [red('a')] }),
    [],
    'its scenario fails without it',
  ],
  ['one that could not be judged', outcome({}), withFault({ red: [red('a', 'unknown')] }), [], 'it is not seen'],
  ['nothing', outcome({}), withFault({}), [], 'it is not seen'],
  [
    'nothing, and one that proves nothing',
    outcome({}),
    withFault({ unproven: ['c'] }),
    [],
    'its scenario proves nothing there',
  ],
];

for (const [what, alone, broken, caughtBy, why] of rows) {
  test(`a fault on readings turns red: ${what}`, () => {
    const [result] = spreadResults([alone, broken], [fault]);
    assert.deepEqual([result?.caughtBy, result?.why], [caughtBy, why]);
  });
}

test('a spread is not a success with an alarm on a correct service, or a documented fault that nothing catches', () => {
  const alone = [outcome({ red: [red('a'), red('b')] })];
  const missed: SpreadResult = { fault, on: 'x=y', row: 0, caughtBy: [], why: 'it is not seen' };
  const unproven: SpreadResult = { ...missed, why: 'its scenario proves nothing there' };
  const assumed = { ...missed, fault: { ...fault, grade: 'assumed' as const } };
  const [alarm = '', survivor = '', ...more] = problemsOfSpread(alone, [missed, unproven, assumed]);
  assert.match(alarm, /"a" is failed, and 1 more failed, on a correct service \(.+\): because/);
  assert.match(survivor, /f is not caught \(it is not seen\) on x=y/);
  assert.deepEqual(more, []);
});
