import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { CANARY, fakeEnvironment, fakeResult } from '../../testing/monitor/fakes.ts';
import { makeRecorder, recordRun } from '../../testing/monitor/open-recorder.ts';
import { PlayedOutages } from '../../testing/monitor/played-outages.ts';
import { ownFolder } from '../../testing/own-folder.ts';
import type { Verdict } from '../../verdict/index.ts';
import { flips } from '../history/incidents.ts';
import { lastFailures } from '../history/runs.ts';
import type { Monitor } from '../monitor.ts';
import { figuresReader, ranges, windowsOf } from '../status-page/figures.ts';
import { scenarioPage } from '../status-page/scenario.ts';
import { pastMaintenance } from './calendar.ts';
import type { RunRecorder } from './run-recorder.ts';

const MINUTE = 60_000;
const environment = fakeEnvironment('e');

/**
 * Opens a recorder of one scenario, `block` of the environment `e`. Its function `run` records one run at a given minute. The test closes
 * the recorder at its end.
 */
function openRecorder(t: TestContext) {
  const file = join(ownFolder(), 'h.sqlite');
  const rule = { downAfter: 2, upAfter: 2, remindAfterMs: 60 * MINUTE, gatherMs: MINUTE };
  const recorder = makeRecorder(file, [environment], { rule, channels: ['webhook', 'slack'] });
  t.after(() => recorder.close());
  recorder.enterAll([{ environment: 'e', title: 'block', area: 'friends', effect: 'read' }], 0);
  const run = (minute: number, verdict: Verdict, second?: Verdict) => {
    const at = minute * MINUTE;
    const confirmed = second ? { second: fakeResult(second, at + 10) } : {};
    return recordRun(recorder, environment, { first: fakeResult(verdict, at), ...confirmed }, at + 20, at);
  };
  return { recorder, run, file };
}

/** `channel kind` of every notice in the outbox. */
const noticesIn = (recorder: RunRecorder) =>
  recorder.db
    .all('SELECT channel, body FROM notice ORDER BY id')
    .map(({ channel, body }) => `${channel} ${JSON.parse(String(body)).kind}`);

test('a run that can not be written leaves nothing in the file or in memory, not even a flip', (t) => {
  const { recorder, run } = openRecorder(t);
  run(0, 'passed');
  run(1, 'failed', 'failed');
  const state = () => [
    recorder.scenarios.get({ environment: 'e', title: 'block' }).standing,
    recorder.db.get('SELECT count(*) AS count FROM run')?.count,
    flips(recorder.db),
    recorder.incidents.all,
    noticesIn(recorder),
  ];
  const before = state();
  // Of all the writes of a run, the recorder writes the change of status last. If this write fails, the other writes must be rolled back.
  recorder.db.run(`CREATE TEMP TRIGGER broken BEFORE INSERT ON flip BEGIN SELECT RAISE(ABORT, 'broken'); END`);
  assert.throws(() => run(2, 'failed', 'failed'), /broken/);
  assert.deepEqual([state(), recorder.lost], [before, 1]);
  recorder.db.run('DROP TRIGGER broken');
  assert.equal(run(3, 'failed', 'failed')?.since, MINUTE, 'the streak continues');
  assert.deepEqual(noticesIn(recorder), ['webhook down', 'slack down']);
});

test('failures are kept with the call that repeats them, redacted', (t) => {
  const { recorder, run, file } = openRecorder(t);
  run(0, 'failed', 'failed');
  const [failure] = lastFailures(recorder.db, 1, 5, Infinity);
  assert.match(failure?.reason ?? '', /it did not \(\*\*\*\)/);
  assert.equal(failure?.exchange?.answer?.status, 500);
  assert.doesNotMatch(JSON.stringify(failure), new RegExp(CANARY));
  run(1, 'failed', 'failed');
  run(70, 'failed', 'failed');
  const calls = lastFailures(recorder.db, 1, 5, Infinity).map(({ exchange }) => exchange !== undefined);
  assert.deepEqual(calls, [true, false, true], 'the same failure keeps its call once an hour');
  recorder.close();
  assert.equal(readFileSync(file).includes(CANARY), false, 'a secret reached the file');
});

test('a long time without judged runs is a gap', (t) => {
  const { recorder, run } = openRecorder(t);
  run(0, 'passed');
  run(1, 'unknown');
  run(2, 'passed');
  for (let minute = 3; minute < 8; minute++) run(minute, 'unknown');
  run(8, 'passed');
  const gaps = recorder.db.all('SELECT "from", "to" FROM gap').map((row) => Object.values(row));
  assert.deepEqual(gaps, [[3 * MINUTE, 8 * MINUTE]]);
  const [hour] = recorder.db.all('SELECT runs, judged FROM rollup WHERE size = 3600000');
  assert.deepEqual({ ...hour }, { runs: 9, judged: 3 });
});

test('a window that the settings shorten or take away while it is open is none from then on', (t) => {
  const file = join(ownFolder(), 'h.sqlite');
  const spans = [120, 0, 60].map((minutes, index) => {
    const rule = { pattern: '0 0 * * *', timeZone: 'UTC', durationMs: minutes * MINUTE };
    const recorder = makeRecorder(file, [fakeEnvironment('e', minutes > 0 ? [rule] : [])]);
    t.after(() => recorder.close());
    const now = (10 + index) * MINUTE;
    recorder.enterAll([], now);
    for (const later of [0, 1_000]) recorder.pass(now + later);
    return pastMaintenance(recorder.db, 'e').map(({ from, to }) => [from / MINUTE, to / MINUTE]);
  });
  assert.deepEqual(spans, [
    [[0, 120]],
    [[0, 11]],
    [
      [0, 11],
      [0, 60],
    ],
  ]);
});

test('a run deletes what has expired, unless the calendar was set ahead: then the history shows the time', (t) => {
  const file = join(ownFolder(), 'h.sqlite');
  const day = 1_440 * MINUTE;
  const started = [
    [0, 36, 40],
    [400, 401],
    [41, 42],
  ].map((days) => {
    const recorder = makeRecorder(file, [environment], { keepRunsMs: 12 * day });
    t.after(() => recorder.close());
    recorder.enterAll([{ environment: 'e', title: 'block', area: 'friends', effect: 'read' }], (days[0] ?? 0) * day);
    for (const at of days) recordRun(recorder, environment, { first: fakeResult('passed', at * day) }, at * day);
    return recorder.db.all('SELECT started FROM run ORDER BY started').map((row) => Number(row.started) / day);
  });
  assert.deepEqual(started, [
    [36, 40],
    [36, 40, 400, 401],
    [36, 40, 41, 42, 400, 401],
  ]);
});

test('a clock that is set a year ahead for a while leaves a gap of that while, and none of its runs is the last one', async (t) => {
  const played = new PlayedOutages({ e: { host: 'h' } });
  t.after(() => played.end());
  played.start([{ environment: 'e', title: 'block', area: 'friends' }], 0);
  for (let minute = 0; minute <= 120; minute++) {
    const ahead = minute >= 20 && minute < 30 ? 365 * 1_440 * MINUTE : 0;
    const isDown = minute >= 60 && minute < 90;
    played.minute(minute * MINUTE + ahead, () => (isDown ? 'broken' : ahead > 0 ? 'slow' : undefined));
  }
  const { db, scenarios } = played.recorder;
  const [known = assert.fail()] = scenarios.monitored;
  const now = 120 * MINUTE + 1;
  const [day] = windowsOf(db, known, now);
  assert.deepEqual(
    [day?.downMs, day?.observedMs].map((ms = 0) => Math.floor(ms / MINUTE)),
    [30, 110],
  );
  const view = { known, shown: 'up' } as const;
  const figures = await figuresReader(db)(known);
  const monitor = { recorder: played.recorder, settings: { slo: 0.999 } } as unknown as Monitor;
  const { text } = scenarioPage(monitor, { view, figures, range: ranges[0], isPublic: false }, now);
  assert.match(text, /<dt>Last run<\/dt><dd><time datetime="1970-/);
});
