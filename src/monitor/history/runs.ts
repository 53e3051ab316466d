import {
  type Exchange,
  type Health,
  type HttpResponse,
  type Phases,
  type Verdict,
  verdicts,
} from '../../client/index.ts';
import type { Flip } from '../status/flip.ts';
import type { Span } from '../status/uptime.ts';
import type { HistoryDatabase } from './database.ts';
import type { KnownScenario } from './scenarios.ts';

/** One run: its first attempt, and the verdict of the second if there was one. Times are epochs, in ms. */
export interface RunRow {
  readonly planned: number;
  readonly started: number;
  readonly ms: number;
  readonly verdict: Verdict;
  readonly retry?: Verdict;
  readonly evidence: Health;
  /** HTTP status of the last response in the first attempt. */
  readonly status?: number;
  /** Sums over the calls of the first attempt, in ms. */
  readonly phases?: Phases;
}

/** A failing call as stored: the response's body as text of bounded length, under `answer`. */
export interface KeptExchange extends Omit<Exchange, 'response'> {
  readonly answer?: Omit<HttpResponse, 'body'> & { readonly body: { readonly text: string } };
}

/** The reason why a run did not simply pass, with the redacted call that shows it. */
export type FailureRow = Pick<Flip, 'verdict' | 'grade' | 'reason' | 'curl'> &
  Pick<RunRow, 'started' | 'retry'> & { readonly run: number; readonly exchange?: KeptExchange };

export function addRun(db: HistoryDatabase, scenario: number, run: RunRow): number {
  return db.insert('run', { ...run, scenario });
}

/** A repeated failure keeps its call only once in this time, and a repeated skip isn't kept: weeks of one must not fill the disk. */
const SAME_MS = 3_600_000;

export function addFailure(db: HistoryDatabase, scenario: number, failure: FailureRow): void {
  const { ran } = verdicts[failure.verdict];
  const { started, reason = null } = failure;
  const sql = `SELECT 1 FROM failure WHERE scenario = ? AND started > ? AND started <= ? AND reason IS ?
    AND (exchange IS NOT NULL OR ?) LIMIT 1`;
  const same = db.get(sql, scenario, started - SAME_MS, started, reason, ran ? 0 : 1);
  if (same && !ran) return;
  db.insert('failure', { ...failure, scenario, exchange: same ? undefined : failure.exchange });
}

const LAST = 'WHERE scenario = ? AND started < ? ORDER BY started DESC LIMIT ?';

/** `before`: what a clock that was ahead wrote down lies in the future, perhaps for a year. */
export function lastRuns(db: HistoryDatabase, scenario: number, count: number, before: number): RunRow[] {
  return db.all(`SELECT * FROM run ${LAST}`, scenario, before, count);
}

export function isGood({ evidence }: RunRow): boolean {
  return evidence === 'up' || evidence === 'degraded';
}

/** When the last run that was written down began; epoch, in ms. */
export function newestRun(db: HistoryDatabase): number | undefined {
  return db.get<RunRow>('SELECT * FROM run ORDER BY id DESC LIMIT 1')?.started;
}

export function lastFailures(db: HistoryDatabase, scenario: number, count: number, before: number): FailureRow[] {
  return db.all(`SELECT * FROM failure ${LAST}`, scenario, before, count);
}

export function firstFailure(db: HistoryDatabase, scenario: number, from: number): FailureRow | undefined {
  const sql = 'SELECT * FROM failure WHERE scenario = ? AND started >= ? ORDER BY started LIMIT 1';
  return db.get(sql, scenario, from);
}

const KEEP_FAILURES_MS = 400 * 86_400_000;

/** Rows deleted at a time: more than a run adds, and few enough to keep nothing waiting. */
const AT_ONCE = 10;

/** Deletes the oldest rows if they have expired: to be called with each run. Roll-ups and flips stay forever. */
export function pruneSome(db: HistoryDatabase, now: number, keepRunsMs: number): void {
  const prune = (table: 'run' | 'failure' | 'notice', of: string, before: number) => {
    const oldest = `SELECT rowid FROM ${table} WHERE ${of} IS NOT NULL ORDER BY rowid LIMIT ${AT_ONCE}`;
    db.run(`DELETE FROM ${table} WHERE rowid IN (${oldest}) AND ${of} < ?`, before);
  };
  prune('run', 'started', now - keepRunsMs);
  prune('failure', 'started', now - KEEP_FAILURES_MS);
  // One that still waits is kept.
  prune('notice', 'coalesce(sent, given_up)', now - KEEP_FAILURES_MS);
}

/** More than this many intervals between two judged runs are a gap in the data. */
const GAP_AFTER = 2.5;

/**
 * Adds the span before a judged run at `at` in which nothing could be judged, if it is long enough to be a gap. One that reaches beyond was
 * made by a clock that has been set back since, and ends here, unless the scenario went down or up in that time: nobody knows for how long.
 */
export function noteGap(
  db: HistoryDatabase,
  { id, firstRun, lastJudged }: Pick<KnownScenario, 'id' | 'firstRun' | 'lastJudged'>,
  at: number,
  intervalMs: number,
): void {
  const from = lastJudged === undefined ? firstRun : lastJudged + intervalMs;
  if (lastJudged !== undefined && at < lastJudged)
    db.run(
      `UPDATE gap SET "to" = ?1 WHERE scenario = ?2 AND "from" < ?1 AND "to" > ?1
        AND NOT EXISTS (SELECT 1 FROM flip WHERE scenario = ?2 AND since > ?1 AND 'down' IN ("from", "to"))`,
      at,
      id,
    );
  if (at - (lastJudged ?? firstRun) > GAP_AFTER * intervalMs) db.insert('gap', { scenario: id, from, to: at });
}

export function gaps(db: HistoryDatabase, scenario: number, { from, to }: Span): Span[] {
  return db.all('SELECT * FROM gap WHERE scenario = ? AND "to" > ? AND "from" < ?', scenario, from, to);
}
