import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fakeEnvironment } from '../testing/monitor/fakes.ts';
import { openRecorder } from '../testing/monitor/open-recorder.ts';

const MINUTE = 60_000;

test('pruning goes on step by step, and leaves what is recent', (t) => {
  const { recorder, run } = openRecorder(t);
  const day = 1_440;
  for (const minute of [0, 1, 40 * day]) run(minute, 'passed');
  const started = () => recorder.db.all('SELECT started FROM run').map((row) => Number(row.started) / MINUTE);
  const pruning = recorder.pruning(41 * day * MINUTE);
  pruning.next();
  assert.equal(started().length, 3, 'a step has not been taken yet');
  assert.equal(pruning.next().done, true);
  assert.deepEqual(started(), [40 * day]);
});

test('runs are kept for as long as the settings say', (t) => {
  const day = 1_440;
  const { recorder, run } = openRecorder(t, fakeEnvironment('e'), { keepRunsMs: 4 * day * MINUTE });
  for (const minute of [0, 36 * day, 38 * day]) run(minute, 'passed');
  Array.from(recorder.pruning(41 * day * MINUTE));
  const left = recorder.db.all('SELECT started FROM run').map((row) => Number(row.started) / MINUTE / day);
  assert.deepEqual(left, [38]);
});
