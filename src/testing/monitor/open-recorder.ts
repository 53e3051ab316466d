import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { Verdict } from '../../client/index.ts';
import type { Environment } from '../../config/index.ts';
import { HistoryDatabase } from '../../monitor/index.ts';
import type { RecorderOptions } from '../../monitor/recording/recorder-options.ts';
import { RunRecorder } from '../../monitor/recording/run-recorder.ts';
import type { ProbeResult } from '../../monitor/status/cause.ts';
import { fakeEnvironment, fakeResult, temporaryFolder } from './fakes.ts';

const MINUTE = 60_000;

/** An empty history, which goes with the test. */
export function temporaryHistory(t: Pick<TestContext, 'after'>): HistoryDatabase {
  const { path, end } = temporaryFolder();
  const db = new HistoryDatabase(join(path, 'h.sqlite'));
  t.after(() => {
    db.close();
    end();
  });
  return db;
}

/** A recorder with what tests usually want. */
export function makeRecorder(
  file: string,
  environments: readonly Environment[],
  more: Partial<RecorderOptions> = {},
): RunRecorder {
  return new RunRecorder({
    file,
    environments,
    rule: { downAfter: 1, upAfter: 1, remindAfterMs: 180 * MINUTE, gatherMs: MINUTE },
    confirmAfterMs: 10_000,
    channels: ['webhook'],
    routes: new Map(),
    tagsOf: () => [],
    pageUrl: () => 'http://page.test/',
    ...more,
  });
}

/** A recorder of one scenario, `block` of the environment `e`, whose runs are given by minute; its file goes with the test. */
export function openRecorder(
  t: TestContext,
  environment: Environment = fakeEnvironment('e'),
  more: Partial<RecorderOptions> = {},
) {
  const { path, end } = temporaryFolder();
  t.after(end);
  const file = join(path, 'h.sqlite');
  const rule = { downAfter: 2, upAfter: 2, remindAfterMs: 60 * MINUTE, gatherMs: MINUTE };
  const make = () => makeRecorder(file, [environment], { rule, channels: ['webhook', 'slack'], ...more });
  const recorder = make();
  recorder.enterAll([{ environment: 'e', title: 'block', area: 'friends', effect: 'read' }], 0);
  const run = (minute: number, verdict: Verdict, second?: Verdict, on = recorder) =>
    recordRun(
      on,
      environment,
      {
        first: fakeResult(verdict, minute * MINUTE),
        ...(second ? { second: fakeResult(second, minute * MINUTE + 10) } : {}),
      },
      minute * MINUTE + 20,
      minute * MINUTE,
    );
  return { recorder, run, make, file, environment };
}

/** Records one run of a scenario that runs every minute; `at` and `planned` are epochs, in ms. Returns its flip, if any. */
export function recordRun(
  recorder: Pick<RunRecorder, 'recordAll'>,
  environment: Environment,
  observed: ProbeResult,
  at: number,
  planned = at,
) {
  return recorder.recordAll([{ environment, observed, planned, intervalMs: MINUTE, at }])[0];
}

/** `channel kind` of every notice in the outbox. */
export const noticesIn = (recorder: RunRecorder) =>
  recorder.db
    .all('SELECT channel, body FROM notice ORDER BY id')
    .map(({ channel, body }) => `${channel} ${JSON.parse(String(body)).kind}`);
