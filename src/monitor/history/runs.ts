import type { Exchange, HttpResponse, Phases } from '../../http/index.ts';
import type { ScenarioResult } from '../../run/index.ts';
import { type Grade, type Health, type Verdict, verdicts } from '../../verdict/index.ts';
import type { Span } from '../status/uptime.ts';
import type { HistoryDatabase } from './database.ts';
import type { KnownScenario } from './scenarios.ts';

/** One run: its first attempt and, if there were several attempts, the verdict of the last one. Times are epochs, in ms. */
export interface RunRow {
  readonly planned: number;
  readonly started: number;
  readonly ms: number;
  readonly verdict: Verdict;
  readonly retry?: Verdict;
  readonly evidence: Health;
  /** HTTP status of the last response in the first attempt. */
  readonly status?: number;
  /** The time of each phase, summed over the calls of the first attempt, in ms. */
  readonly phases?: Phases;
  readonly grade?: Grade;
  /** Why the run did not simply pass. `curl` is a command for the failing call, redacted. */
  readonly reason?: string;
  readonly curl?: string;
  readonly exchange?: KeptExchange;
}

/** A failing call as the history stores it. The response is in `answer`, with its body as text of limited length. */
export interface KeptExchange extends Omit<Exchange, 'response'> {
  /** The trace of the scenario that made the call. */
  readonly trace?: ScenarioResult['trace'];
  readonly answer?: Omit<HttpResponse, 'body'> & { readonly body: { readonly text: string } };
}

/**
 * Time in which the history stores details only once, in ms: a failure with the same reason then stores no call, and a skip with the same
 * reason stores no reason. So weeks of repeated runs don't fill the disk.
 */
const SAME_MS = 3_600_000;

export function addRun(db: HistoryDatabase, scenario: number, run: RunRow): void {
  const { started, reason } = run;
  const { ran } = verdicts[run.verdict];
  const sql = `SELECT 1 FROM run WHERE scenario = ? AND started > ? AND started <= ? AND reason = ?
    AND (exchange IS NOT NULL OR ?) LIMIT 1`;
  const isRepeated =
    reason !== undefined && db.get(sql, scenario, started - SAME_MS, started, reason, ran ? 0 : 1) !== undefined;
  db.insert('run', { ...run, ...(isRepeated ? { [ran ? 'exchange' : 'reason']: undefined } : {}), scenario });
}

/** The conditions of two indexes: runs that simply passed, and all other runs. */
const [PASSED, FAILED] = ['reason IS NULL', 'reason IS NOT NULL'];
const last = (which: string) =>
  `SELECT * FROM (SELECT * FROM run WHERE scenario = ?1 AND started < ?2 AND ${which} ORDER BY started DESC LIMIT ?3)`;

/** The last runs that began before `before`. So a run that was recorded while the wall clock was ahead doesn't appear as the last run. */
export function lastRuns(db: HistoryDatabase, scenario: number, count: number, before: number): RunRow[] {
  const sql = `${last(PASSED)} UNION ALL ${last(FAILED)} ORDER BY started DESC LIMIT ?3`;
  return db.all(sql, scenario, before, count);
}

export function isGood({ evidence }: RunRow): boolean {
  return evidence === 'up' || evidence === 'degraded';
}

/** The start of the run that was recorded last; epoch, in ms. */
export function newestRun(db: HistoryDatabase): number | undefined {
  return db.get<RunRow>('SELECT * FROM run ORDER BY id DESC LIMIT 1')?.started;
}

export function lastFailures(db: HistoryDatabase, scenario: number, count: number, before: number): RunRow[] {
  return db.all(last(FAILED), scenario, before, count);
}

export function firstFailure(db: HistoryDatabase, scenario: number, from: number): RunRow | undefined {
  const sql = `SELECT * FROM run WHERE scenario = ? AND started >= ? AND ${FAILED} ORDER BY started LIMIT 1`;
  return db.get(sql, scenario, from);
}

const KEEP_FAILURES_MS = 400 * 86_400_000;

/**
 * Deletes expired rows: runs of one scenario, and notices. The recorder calls this function with each run. Each call deletes at most ten
 * rows of each kind, which is more than one run adds. The calls take the scenarios in turn, also those that are no longer monitored.
 * Roll-ups and changes of status are never deleted.
 */
export function pruneSome(db: HistoryDatabase, now: number, keepRunsMs: number): void {
  const prune = (table: string, where: string, before: number) =>
    db.run(`DELETE FROM ${table} WHERE id IN (SELECT id FROM ${table} WHERE ${where} < ? LIMIT 10)`, before);
  const turn = 'scenario = 1 + (SELECT max(id) FROM run) % (SELECT max(id) FROM scenario)';
  prune('run', `${turn} AND ${PASSED} AND started`, now - keepRunsMs);
  prune('run', `${turn} AND ${FAILED} AND started`, now - KEEP_FAILURES_MS);
  // For a notice that still waits, this value is NULL, so the notice stays.
  prune('notice', 'coalesce(sent, given_up)', now - KEEP_FAILURES_MS);
}

/** If more than this many intervals pass between two judged runs, the data has a gap. */
const GAP_AFTER = 2.5;

/**
 * Stores a gap if no run could be judged for long enough before `at`, the time of a judged run. If an earlier gap ends after `at`, the
 * clock was ahead when the gap was recorded, so the gap now ends at `at`. Exception: if the scenario went down or up after `at`, the gap
 * stays as it is, because nobody knows for how long the scenario was down.
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
