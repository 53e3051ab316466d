import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { scenarioRows } from '../src/cli/check/console.ts';
import { checkDocument } from '../src/cli/check/outputs.ts';
import { redsOfCheck } from '../src/cli/output/likely-cause-lines.ts';
import { type Verdict, type VerdictFacts, verdicts } from '../src/client/index.ts';
import type { FaultOutcome } from '../src/drill/index.ts';
import { caughtBy, isAlarm } from '../src/drill/outcome.ts';
import { buckets, DAY } from '../src/monitor/history/rollups.ts';
import { failureRow } from '../src/monitor/recording/run-rows.ts';
import { healthOfRun, indicatorOf, passedOnRetry } from '../src/monitor/status/status.ts';
import { environmentViews, worstOf } from '../src/monitor/status-page/view.ts';
import { colours } from '../src/playwright/terminal.ts';
import { exitCode, overallVerdict } from '../src/runner/index.ts';
import { preflightOf } from '../src/survey/preflight.ts';
import { fakeEnvironment, fakeResult } from '../src/testing/monitor/fakes.ts';
import { makeRecorder, recordRun } from '../src/testing/monitor/open-recorder.ts';
import { ownFolder } from '../src/testing/own-folder.ts';
import { tell } from './uptime/uptime-issue.ts';

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
const name = (verdict: string) => verdict as Verdict;

const result = (verdict: Verdict) => fakeResult(verdict, 0);
const nothing = { startedAt: 0, endedAt: 1, requests: 0, causes: [], asked: [], remarks: [], credentials: [] };
const document = (verdict: Verdict) =>
  checkDocument({ ...nothing, environment: 'e', results: [result('passed'), result(verdict)] });
/** What is done with the issue of the environment, which is open or not. */
function toldOf(verdict: Verdict, issues: readonly object[]): string | undefined {
  let last: string | undefined;
  tell(document(verdict), 'run', ([, action]) => {
    last = action;
    return JSON.stringify(issues);
  });
  return last;
}
const issue = { number: 7, title: 'e: the service falls short', body: '<!-- failing: 0 -->' };
const layout = { colors: colours(true), columns: undefined, environmentWidth: 0 };
const colourOf = (verdict: Verdict) => scenarioRows('e', result(verdict), layout)[0]?.slice(0, 5);

/** What each use makes of the verdicts, in this order. */
const columns = ['passed', 'throttled', 'locked', 'wrong', 'unproven'].map(name);
const uses: [use: string, of: (verdict: Verdict) => unknown, made: unknown[]][] = [
  [
    'overall',
    (verdict) => overallVerdict(['passed', verdict, 'slow']),
    ['slow', 'throttled', 'locked', 'wrong', 'slow'],
  ],
  ['alone', (verdict) => overallVerdict([verdict]), ['passed', 'throttled', 'locked', 'wrong', 'unknown']],
  ['exit', exitCode, [0, 3, 1, 1, 3]],
  ['console', colourOf, ['\u001b[32m', '\u001b[35m', '\u001b[35m', '\u001b[35m', '\u001b[2mu']],
  ['red', (verdict) => redsOfCheck('e', [result(verdict)]).red.length, [0, 0, 0, 1, 0]],
  ['ran', (verdict) => redsOfCheck('e', [result(verdict)]).ran.length, [1, 1, 1, 1, 0]],
  ['alarm', (verdict) => isAlarm({ verdict }), [false, true, true, true, false]],
  [
    'caught',
    (verdict) => caughtBy({ red: [{ title: 't', verdict }] } as unknown as FaultOutcome).length,
    [0, 0, 1, 1, 0],
  ],
  ['preflight', (verdict) => preflightOf([result('passed'), result(verdict)]).failed.length, [0, 0, 1, 1, 0]],
  ['uptime', (verdict) => toldOf(verdict, []), ['list', 'list', 'create', 'create', 'list']],
  ['open issue', (verdict) => toldOf(verdict, [issue]), ['close', 'list', 'comment', 'comment', 'close']],
  ['evidence', (verdict) => healthOfRun({ verdict }), ['up', 'unknown', 'down', 'down', 'unknown']],
  ['indicator', (verdict) => indicatorOf({ verdict }), ['good', undefined, 'bad', 'bad', undefined]],
  ['clears a red', (verdict) => passedOnRetry({ verdict: 'failed' }, { verdict }), [true, false, false, false, false]],
  [
    'kept',
    (verdict) => failureRow({ first: result(verdict) }, 1)?.verdict,
    [undefined, 'throttled', 'locked', 'wrong', 'unproven'],
  ],
];

for (const [use, of, made] of uses)
  test(`${use}: no verdict is taken for another`, () =>
    assert.deepEqual(
      columns.map((verdict) => of(verdict)),
      made,
    ));

test("the monitor's history and its page take nothing for passed", () => {
  const path = ownFolder();
  const environment = fakeEnvironment('e');
  const shown: Record<string, unknown> = {};
  for (const verdict of Object.keys(added)) {
    const recorder = makeRecorder(join(path, `${verdict}.sqlite`), [environment]);
    recorder.enterAll([{ environment: 'e', title: 'block', area: 'friends', effect: 'read' }], 0);
    recordRun(recorder, environment, { first: result(name(verdict)) }, 0);
    const [{ judged, good } = assert.fail()] = buckets(recorder.db, 1, DAY, { from: 0, to: DAY });
    const [view] = environmentViews(recorder, [environment], 1);
    shown[verdict] = `${view && worstOf(view.scenarios)}, ${judged - good} of ${judged} bad`;
    recorder.close();
  }
  assert.deepEqual(shown, {
    throttled: 'unknown, 0 of 0 bad',
    locked: 'down, 1 of 1 bad',
    wrong: 'down, 1 of 1 bad',
    unproven: 'skipped, 0 of 0 bad',
  });
});
