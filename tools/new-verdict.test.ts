import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { scenarioRows } from '../src/cli/check/console.ts';
import { checkDocument } from '../src/cli/check/json-document.ts';
import { redsOfCheck } from '../src/cli/output/likely-cause-lines.ts';
import { type Verdict, type VerdictFacts, verdicts } from '../src/client/index.ts';
import { caughtBy, isAlarm } from '../src/fault-injection/detection.ts';
import type { FaultOutcome } from '../src/fault-injection/index.ts';
import { buckets, DAY } from '../src/monitor/history/rollups.ts';
import { failureRow } from '../src/monitor/recording/run-rows.ts';
import { healthOfRun, indicatorOf, needsConfirmation, passedOnRetry } from '../src/monitor/status/run-health.ts';
import { Board } from '../src/monitor/status-page/scenario/board.ts';
import { worstOf } from '../src/monitor/status-page/view.ts';
import { colours } from '../src/reporting/console/colours.ts';
import { causesOfResults, exitCode, overallVerdict } from '../src/runner/index.ts';
import { preflightOf } from '../src/survey/preflight.ts';
import { fakeEnvironment, fakeResult, temporaryFolder } from '../src/testing/monitor/fakes.ts';
import { makeRecorder, recordRun } from '../src/testing/monitor/open-recorder.ts';
import { decide } from './uptime/decision.ts';

/*
 * Adds verdicts to the table, and shows that all code treats them as their records
 * say, never as `passed`. Code that decides by a verdict's name would not.
 */
const throttled: VerdictFacts = {
  meaning: 'the service asked for fewer calls',
  severity: 3.5,
  exitCode: 3,
  health: 'unknown',
  fellShort: 'nothing',
  ran: true,
  detects: false,
  colour: 'magenta',
  category: 'Throttled',
};

const added: Readonly<Record<string, VerdictFacts>> = {
  throttled,
  locked: { ...throttled, severity: 5.5, exitCode: 1, health: 'down', fellShort: 'credentials', detects: true },
  wrong: { ...throttled, severity: 6.5, exitCode: 1, health: 'down', fellShort: 'behaviour', detects: true },
  unproven: { ...throttled, severity: 0.5, ran: false, colour: 'dim' },
};

Object.assign(verdicts, added);
const name = (verdict: keyof typeof added) => verdict as Verdict;

type Uses = Readonly<Record<string, (verdict: Verdict) => unknown>>;

const result = (verdict: Verdict) => fakeResult(verdict, 0);
const document = (verdict: Verdict) => {
  const results = [result('passed'), result(verdict)];
  const causes = causesOfResults('e', results);
  return checkDocument({
    environment: 'e',
    startedAt: 0,
    endedAt: 1,
    results,
    causes,
    findings: [],
    noLongerJudged: [],
    credentials: [],
    ending: [],
  });
};
const known = { number: 7, body: '' };
const colors = colours(true);

const uses: Uses = {
  overall: (verdict) => overallVerdict(['passed', verdict, 'slow']),
  alone: (verdict) => overallVerdict([verdict]),
  exit: exitCode,
  console: (verdict) =>
    scenarioRows('e', result(verdict), { colors, columns: undefined, environmentWidth: 0 })[0]?.slice(0, 5),
  red: (verdict) => redsOfCheck('e', [result(verdict)]).red.length,
  ran: (verdict) => redsOfCheck('e', [result(verdict)]).ran.length,
  alarm: (verdict) => isAlarm({ verdict }),
  caught: (verdict) => caughtBy({ red: [{ title: 't', verdict }] } as unknown as FaultOutcome).length,
  preflight: (verdict) => preflightOf([result('passed'), result(verdict)]).failed.length,
  uptime: (verdict) =>
    `${decide(document(verdict), undefined, 'run').action}, ${decide(document(verdict), known, 'run').action}`,
  evidence: (verdict) => healthOfRun({ verdict }),
  indicator: (verdict) => indicatorOf({ verdict }),
  confirm: (verdict) => needsConfirmation({ verdict }),
  'clears a red': (verdict) => passedOnRetry({ verdict: 'failed' }, { verdict }),
  kept: (verdict) => failureRow({ first: result(verdict) }, 1)?.verdict,
};

function columns(verdict: Verdict): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(uses).map(([use, of]) => [use, of(verdict)]));
}

const rows: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  passed: {
    overall: 'slow',
    alone: 'passed',
    exit: 0,
    console: '\u001b[32m',
    red: 0,
    ran: 1,
    alarm: false,
    caught: 0,
    preflight: 0,
    uptime: 'none, close',
    evidence: 'up',
    indicator: 'good',
    confirm: false,
    'clears a red': true,
    kept: undefined,
  },
  throttled: {
    overall: 'throttled',
    alone: 'throttled',
    exit: 3,
    console: '\u001b[35m',
    red: 0,
    ran: 1,
    alarm: true,
    caught: 0,
    preflight: 0,
    uptime: 'none, none',
    evidence: 'unknown',
    indicator: undefined,
    confirm: false,
    'clears a red': false,
    kept: 'throttled',
  },
  locked: {
    overall: 'locked',
    alone: 'locked',
    exit: 1,
    console: '\u001b[35m',
    red: 0,
    ran: 1,
    alarm: true,
    caught: 1,
    preflight: 1,
    uptime: 'open, update',
    evidence: 'down',
    indicator: 'bad',
    confirm: true,
    'clears a red': false,
    kept: 'locked',
  },
  wrong: {
    overall: 'wrong',
    alone: 'wrong',
    exit: 1,
    console: '\u001b[35m',
    red: 1,
    ran: 1,
    alarm: true,
    caught: 1,
    preflight: 1,
    uptime: 'open, update',
    evidence: 'down',
    indicator: 'bad',
    confirm: true,
    'clears a red': false,
    kept: 'wrong',
  },
  unproven: {
    overall: 'slow',
    alone: 'unknown',
    exit: 3,
    console: '\u001b[2mu',
    red: 0,
    ran: 0,
    alarm: false,
    caught: 0,
    preflight: 0,
    uptime: 'none, close',
    evidence: 'unknown',
    indicator: undefined,
    confirm: false,
    'clears a red': false,
    kept: 'unproven',
  },
};

for (const [verdict, expected] of Object.entries(rows))
  test(`${verdict}: nothing takes it for another verdict`, () => assert.deepEqual(columns(name(verdict)), expected));

test("the monitor's history and its page take nothing for passed", async (t) => {
  const { path, end } = temporaryFolder();
  t.after(end);
  const environment = fakeEnvironment('e');
  const shown: Record<string, unknown> = {};
  for (const verdict of Object.keys(added)) {
    const recorder = makeRecorder(join(path, `${verdict}.sqlite`), [environment]);
    recorder.enterAll([{ environment: 'e', title: 'block', area: 'friends', effect: 'read' }], 0);
    recordRun(recorder, environment, { first: result(name(verdict)) }, 0);
    const [{ judged, good } = assert.fail()] = buckets(recorder.db, 1, DAY, { from: 0, to: DAY });
    const [view] = new Board(recorder, [environment]).environments(1);
    shown[verdict] = `${view && worstOf(view.tally)}, ${judged - good} of ${judged} bad`;
    recorder.close();
  }
  assert.deepEqual(shown, {
    throttled: 'unknown, 0 of 0 bad',
    locked: 'down, 1 of 1 bad',
    wrong: 'down, 1 of 1 bad',
    unproven: 'skipped, 0 of 0 bad',
  });
});
