import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeFromCompressedBase64 } from 'hdr-histogram-js';
import { temporaryHistory } from '../../testing/monitor/open-recorder.ts';
import { exportLines } from './export.ts';
import {
  addEncoded,
  addToRollups,
  buckets,
  DAY,
  HOUR,
  mergedLatencies,
  newLatencies,
  percentile,
  sumOf,
  withLatency,
} from './rollups.ts';
import { addFailure, addRun, lastRuns, pruneSome } from './runs.ts';
import { enterScenario } from './scenarios.ts';

function open(t: { after(fn: () => void): void }) {
  const db = temporaryHistory(t);
  const { id } = enterScenario(db, { environment: 'e', title: 'block, =then', area: 'friends', effect: 'read' }, 0);
  return { db, id };
}

test('percentiles of merged hours and days are within 1 % of the exact ones', (t) => {
  const { db, id } = open(t);
  const all: number[] = [];
  // A long tail over three days, which averaged percentiles get wrong.
  db.transaction(() => {
    for (let index = 0; index < 2_000; index++) {
      const ms = 2 + (index % 97) ** 1.7 + (index % 500 === 0 ? 4_000 : 0);
      all.push(ms);
      addToRollups(db, id, Math.floor((index / 2_000) * 3 * DAY), { runs: 1, judged: 1, good: 1 }, ms);
    }
  });
  all.sort((a, b) => a - b);
  for (const size of [HOUR, DAY]) {
    const found = buckets(db, id, size, { from: 0, to: 3 * DAY });
    assert.equal(found.length, size === HOUR ? 72 : 3);
    const { runs, good } = sumOf(found);
    assert.deepEqual([runs, good], [2_000, 2_000]);
    const latencies = mergedLatencies(found);
    for (const percent of [50, 95, 99]) {
      const exact = all[Math.ceil((percent / 100) * all.length) - 1] ?? 0;
      const merged = percentile(latencies, percent) ?? 0;
      assert.ok(Math.abs(merged - exact) / exact <= 0.01, `p${percent}: ${merged}, exactly ${exact}`);
    }
  }
});

test('raw runs are kept 30 days, failures 400 days, roll-ups forever', (t) => {
  const { db, id } = open(t);
  const now = 500 * DAY;
  for (const age of [401, 399, 31, 29, 0]) {
    const started = now - age * DAY;
    const run = addRun(db, id, { planned: started, started, ms: 1, verdict: 'failed', evidence: 'down' });
    addFailure(db, id, { run, started, verdict: 'failed' });
    addToRollups(db, id, started, { runs: 1 });
  }
  assert.equal(pruneSome(db, id, now, 30 * DAY), false);
  const count = (table: string) => db.get(`SELECT count(*) AS count FROM ${table}`)?.count;
  assert.deepEqual([count('run'), count('failure'), count('rollup')], [2, 4, 10]);
  assert.equal(lastRuns(db, id, 10).length, 2);
});

test('many expired runs are deleted a little at a time', (t) => {
  const { db, id } = open(t);
  db.transaction(() => {
    for (let started = 0; started < 700; started++)
      addRun(db, id, { planned: started, started, ms: 1, verdict: 'passed', evidence: 'up' });
  });
  const left = () => db.get('SELECT count(*) AS count FROM run')?.count;
  const steps = [0, 1, 2].map(() => [pruneSome(db, id, 40 * DAY, 30 * DAY), left()]);
  assert.deepEqual(steps, [
    [true, 400],
    [true, 100],
    [false, 0],
  ]);
});

test('export: one line per row; CSV cells are quoted, and none is a formula', (t) => {
  const { db, id } = open(t);
  addRun(db, id, {
    planned: 1,
    started: 2,
    ms: 3.5,
    verdict: 'passed',
    evidence: 'up',
    status: 200,
    phases: { connect: 1 },
  });
  const run = addRun(db, id, { planned: 5, started: 6, ms: 7, verdict: 'failed', evidence: 'down' });
  addFailure(db, id, { run, started: 6, verdict: 'failed', reason: '=cmd|"x", y' });
  const [first] = [...exportLines(db, 'runs', 'ndjson')].map((line) => JSON.parse(line));
  assert.deepEqual(
    [first.environment, first.scenario, first.ms, first.phases],
    ['e', 'block, =then', 3.5, { connect: 1 }],
  );
  const csv = [...exportLines(db, 'failures', 'csv')].join('');
  assert.match(csv, /^environment,scenario,area,started,/);
  assert.match(csv, /e,"block, =then",friends,6,failed,,,"'=cmd\|""x"", y",,\r\n$/);
});

test('the export has latencies in the format of HdrHistogram, whether they are packed in the file or not', (t) => {
  const { db, id } = open(t);
  // More in the day than in either hour, so that one is packed and the others are not.
  for (let index = 0; index < 80; index++)
    addToRollups(db, id, index < 40 ? index : HOUR + index, { runs: 1, judged: 1, good: 1 }, 10 + index);
  for (const [what, counts] of [
    ['hours', [40, 40]],
    ['days', [80]],
  ] as const) {
    const rows = [...exportLines(db, what, 'ndjson')].map((line) => JSON.parse(line));
    const all = rows.map(({ latency }) => decodeFromCompressedBase64(latency));
    assert.deepEqual(
      all.map(({ totalCount }) => totalCount),
      counts,
    );
    assert.ok(Math.abs((all.at(-1)?.getValueAtPercentile(100) ?? 0) / 89_000 - 1) <= 0.01);
  }
});

test('latencies added to a text are those added to a histogram, packed or not', () => {
  const whole = newLatencies();
  let text: string | undefined;
  for (let run = 0; run < 300; run++) {
    // From less than a microsecond to more than an hour.
    const ms = 0.000_1 * 1.09 ** run;
    whole.recordValue(Math.min(3_600_000_000, Math.max(1, Math.round(ms * 1_000))));
    text = withLatency(text, ms);
    assert.ok(text.length < 1_000, `${text.length} characters after ${run} runs`);
    const kept = addEncoded(newLatencies(), text);
    assert.equal(kept.totalCount, run + 1);
    for (const percent of [0, 10, 50, 90, 99, 100])
      assert.equal(percentile(kept, percent), percentile(whole, percent), `p${percent} after ${run} runs`);
  }
});
