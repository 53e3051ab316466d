import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { Environment } from '../../environment/index.ts';
import { HistoryDatabase } from '../../monitor/history/database.ts';
import { type RecorderOptions, RunRecorder } from '../../monitor/recording/run-recorder.ts';
import type { ProbeResult } from '../../monitor/status/flip.ts';
import { ownFolder } from '../own-folder.ts';

const MINUTE = 60_000;

export function temporaryHistory(t: Pick<TestContext, 'after'>): HistoryDatabase {
  const db = new HistoryDatabase(join(ownFolder(), 'h.sqlite'));
  t.after(() => db.close());
  return db;
}

export function makeRecorder(file: string, environments: readonly Environment[], more: Partial<RecorderOptions> = {}) {
  return new RunRecorder({
    file,
    environments,
    rule: { downAfter: 1, upAfter: 1, remindAfterMs: 180 * MINUTE, gatherMs: MINUTE },
    everyMs: MINUTE,
    keepRunsMs: 30 * 1_440 * MINUTE,
    channels: ['webhook'],
    routes: new Map(),
    tagsOf: () => [],
    pageUrl: () => 'http://page.test/',
    ...more,
  });
}

/** Records a run of a scenario that runs every minute, with its notices; `at` and `planned` are epochs, in ms. Returns the flip, if any. */
export function recordRun(
  recorder: Pick<RunRecorder, 'record' | 'pass'>,
  environment: Environment,
  observed: ProbeResult,
  at: number,
  planned = at,
) {
  const flip = recorder.record({ environment, observed, planned, intervalMs: MINUTE }, at);
  recorder.pass(at);
  return flip;
}
