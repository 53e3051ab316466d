import type { Exchange, Grade, HttpResponse, Phases, Verdict } from '../../client/index.ts';
import type { IndicatorCounts } from '../status/burn-rate.ts';
import type { Evidence } from '../status/evidence.ts';
import type { Span } from '../status/time-spans.ts';
import type { Database } from './database.ts';

/** One run: its first attempt, and the verdict of the second where there was one. Times are epochs, in ms. */
export interface RunRow {
  readonly planned: number;
  readonly started: number;
  readonly ms: number;
  readonly verdict: Verdict;
  readonly retry?: Verdict;
  readonly evidence: Evidence;
  /** HTTP status of the last answer of the first attempt. */
  readonly status?: number;
  /** Sums over the calls of the first attempt, in ms. */
  readonly phases?: Phases;
}

/** A failing call as the history keeps it: the response's body as text of a bounded length, under the name that older histories have. */
export interface KeptExchange extends Omit<Exchange, 'response'> {
  readonly answer?: Omit<HttpResponse, 'body'> & { readonly body: { readonly text: string } };
}

/** Why a run wasn't simply well, with the redacted call that shows it. */
export interface FailureRow {
  readonly run: number;
  readonly started: number;
  readonly verdict: Verdict;
  readonly retry?: Verdict;
  readonly grade?: Grade;
  readonly reason?: string;
  readonly curl?: string;
  readonly exchange?: KeptExchange;
}

export function addRun(db: Database, scenario: number, run: RunRow): number {
  return db.run(
    'INSERT INTO run (scenario, planned, started, ms, verdict, retry, evidence, status, phases) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
    scenario,
    run.planned,
    run.started,
    run.ms,
    run.verdict,
    run.retry ?? null,
    run.evidence,
    run.status ?? null,
    run.phases ? JSON.stringify(run.phases) : null,
  ).id;
}

/** How long the same failure is kept without its call again, and a skip not at all: weeks of one must not fill the disk. */
const SAME_MS = 3_600_000;

export function addFailure(db: Database, scenario: number, failure: FailureRow): void {
  const same = db.get(
    'SELECT 1 FROM failure WHERE scenario = ? AND started > ? AND started <= ? AND reason IS ? AND (exchange IS NOT NULL OR ?) LIMIT 1',
    scenario,
    failure.started - SAME_MS,
    failure.started,
    failure.reason ?? null,
    failure.verdict === 'skipped' ? 1 : 0,
  );
  if (same && failure.verdict === 'skipped') return;
  db.run(
    'INSERT INTO failure (run, scenario, started, verdict, retry, grade, reason, curl, exchange) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
    failure.run,
    scenario,
    failure.started,
    failure.verdict,
    failure.retry ?? null,
    failure.grade ?? null,
    failure.reason ?? null,
    failure.curl ?? null,
    failure.exchange && !same ? JSON.stringify(failure.exchange) : null,
  );
}

/** The latest runs first. */
export function lastRuns(db: Database, scenario: number, count: number): RunRow[] {
  return db
    .all('SELECT * FROM run WHERE scenario = ? ORDER BY started DESC LIMIT ?', scenario, count)
    .map((row) => toRun(db, row));
}

/** When the last run that was written down began; epoch, in ms. */
export function newestRun(db: Database): number | undefined {
  return db.get('SELECT started FROM run ORDER BY id DESC LIMIT 1')?.started as number | undefined;
}

/** The latest failures first. */
export function lastFailures(db: Database, scenario: number, count: number): FailureRow[] {
  return db
    .all('SELECT * FROM failure WHERE scenario = ? ORDER BY started DESC LIMIT ?', scenario, count)
    .map((row) => toFailure(db, row));
}

/** First attempts since `since` that could be judged, and how many of them were bad. */
export function indicatorCounts(db: Database, scenario: number, since: number): IndicatorCounts {
  const row = db.get(
    `SELECT count(*) AS judged, total(verdict IN ('failed', 'refused', 'unreachable')) AS bad
     FROM run WHERE scenario = ? AND started >= ? AND verdict NOT IN ('unknown', 'skipped')`,
    scenario,
    since,
  );
  return { judged: Number(row?.judged), bad: Number(row?.bad) };
}

/** How long raw runs and failures are kept, in ms. */
export const keep = { runs: 30 * 86_400_000, failures: 400 * 86_400_000 } as const;

/** Deletes what is older than it is kept. Roll-ups and flips stay for ever. */
export function prune(db: Database, scenario: number, now: number): void {
  db.run('DELETE FROM run WHERE scenario = ? AND started < ?', scenario, now - keep.runs);
  db.run('DELETE FROM failure WHERE scenario = ? AND started < ?', scenario, now - keep.failures);
}

/** When nothing could be judged, from the last judged run to the next. */
export function addGap(db: Database, scenario: number, { from, to }: Span): void {
  db.run('INSERT INTO gap (scenario, start, until) VALUES (?, ?, ?)', scenario, from, to);
}

export function gaps(db: Database, scenario: number, { from, to }: Span): Span[] {
  return db
    .all('SELECT start, until FROM gap WHERE scenario = ? AND until > ? AND start < ?', scenario, from, to)
    .map(({ start, until }) => ({ from: start as number, to: until as number }));
}

type Row = Readonly<Record<string, unknown>>;

/** `row` under the names of the program, without what is null. */
function present<T>(db: Database, row: Row, names: readonly (keyof T & string)[], parsed: readonly string[]): T {
  const entries = names.flatMap((name) => {
    const value = row[name];
    return value === null || value === undefined ? [] : [[name, parsed.includes(name) ? db.json(value) : value]];
  });
  return Object.fromEntries(entries) as T;
}

const toRun = (db: Database, row: Row) =>
  present<RunRow>(
    db,
    row,
    ['planned', 'started', 'ms', 'verdict', 'retry', 'evidence', 'status', 'phases'],
    ['phases'],
  );

const toFailure = (db: Database, row: Row) =>
  present<FailureRow>(
    db,
    row,
    ['run', 'started', 'verdict', 'retry', 'grade', 'reason', 'curl', 'exchange'],
    ['exchange'],
  );
