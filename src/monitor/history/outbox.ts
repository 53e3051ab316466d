import type { NoticeKind, Told } from '../status/told.ts';
import type { HistoryDatabase } from './database.ts';
import { KEEP_FAILURES_MS } from './runs.ts';

export interface WaitingNotice {
  readonly id: number;
  /** Idempotency key, the same at every attempt: receivers use it to drop duplicates. */
  readonly key: string;
  readonly incident: number;
  readonly channel: string;
  /** JSON of a `Notice`. */
  readonly body: string;
  readonly attempts: number;
  readonly created: number;
}

interface NewNotice extends Pick<WaitingNotice, 'incident' | 'channel' | 'body'>, Partial<Pick<WaitingNotice, 'key'>> {
  readonly kind: NoticeKind | 'expiring';
}

/** Puts a notice into the outbox, under a key of its own; one with a key only if that was not there before. Without an incident, that is 0. */
export function addNotice(db: HistoryDatabase, { key, ...notice }: NewNotice, now: number): void {
  const next = db.get('SELECT coalesce(max(id), 0) + 1 AS id FROM notice')?.id;
  const own = [db.instance, notice.incident, next, notice.channel].join('-');
  const row = { ...notice, key: key ?? own, created: now, next_at: now };
  db.insert('notice', row, key === undefined ? 'INSERT' : 'INSERT OR IGNORE');
}

/**
 * What is to be sent now. Of one incident and channel only the oldest is due, so that "recovered" never overtakes "down". What is due later
 * than `longestWaitMs` was written before the clock was set back, and is due now.
 */
export function waitingNotices(db: HistoryDatabase, now: number, longestWaitMs: number): WaitingNotice[] {
  const sql = `SELECT id, key, incident, channel, body, attempts, created FROM notice WHERE next_at NOT BETWEEN ? AND ?
    AND id IN (SELECT min(id) FROM notice WHERE sent IS NULL AND given_up IS NULL GROUP BY incident, channel) ORDER BY id`;
  return db.all(sql, now + 1, now + longestWaitMs) as unknown as WaitingNotice[];
}

/** What came of an attempt to send a notice: it was sent, is to be tried again, or was given up. Times are epochs, in ms. */
export function noteAttempt(
  db: HistoryDatabase,
  id: number,
  outcome: 'sent' | 'next_at' | 'given_up',
  at: number,
  error: string | null = null,
): void {
  db.run(`UPDATE notice SET ${outcome} = ?, attempts = attempts + 1, error = ? WHERE id = ?`, at, error, id);
}

/** Kinds of the notices of an incident that a channel gave up before this one; none where it took another. */
export function undeliveredBefore(db: HistoryDatabase, { id, incident, channel }: WaitingNotice): NoticeKind[] {
  const sql = 'SELECT kind, sent FROM notice WHERE incident = ? AND channel = ? AND id < ? ORDER BY id';
  const earlier = db.all(sql, incident, channel, id);
  return earlier.some(({ sent }) => sent !== null) ? [] : earlier.map(({ kind }) => kind as NoticeKind);
}

export function pruneNotices(db: HistoryDatabase, now: number): void {
  db.run('DELETE FROM notice WHERE created < ? AND (sent IS NOT NULL OR given_up IS NOT NULL)', now - KEEP_FAILURES_MS);
}

/**
 * What waits for these channels, the oldest written at `oldest` (an epoch, in ms), and how many were given up since `recently`. That a
 * notice can't reach a channel which somebody took out of the settings is no problem of the monitor.
 */
export function outboxState(db: HistoryDatabase, channels: readonly string[], recently: number) {
  const sql = `SELECT count(*) AS count, min(created) AS oldest, max(error) AS error FROM notice
    WHERE channel IN (SELECT value FROM json_each(?)) AND`;
  const waiting = db.get(`${sql} sent IS NULL AND given_up IS NULL`, JSON.stringify(channels));
  const lost = db.get(`${sql} given_up >= ?`, JSON.stringify(channels), recently);
  const lastError = (waiting?.error ?? lost?.error) as string | null | undefined;
  return {
    waiting: Number(waiting?.count ?? 0),
    givenUp: Number(lost?.count ?? 0),
    oldest: (waiting?.oldest ?? undefined) as number | undefined,
    lastError: lastError ?? undefined,
  };
}

/** What each channel was last told about each incident. */
export function toldSoFar(db: HistoryDatabase): (Told & { readonly incident: number; readonly channel: string })[] {
  const rows = db.all(
    `SELECT incident, channel, kind, created AS at, (
       SELECT json_group_array(hit) FROM told WHERE told.incident = notice.incident AND told.channel = notice.channel
     ) AS hits FROM notice WHERE id IN (SELECT max(id) FROM notice WHERE incident > 0 GROUP BY incident, channel)`,
  );
  return rows.map(({ incident, channel, kind, at, hits }) => ({
    incident: Number(incident),
    channel: String(channel),
    hits: new Set(db.json(hits) as number[]),
    last: { kind: kind as NoticeKind, at: Number(at) },
  }));
}

/** Writes down what a channel knows now, where it knew `before`. */
export function saveTold(
  db: HistoryDatabase,
  incident: number,
  channel: string,
  before: ReadonlySet<number>,
  now: ReadonlySet<number>,
): void {
  const add = 'INSERT OR IGNORE INTO told (incident, channel, hit) SELECT ?, ?, value FROM json_each(?)';
  const remove = 'DELETE FROM told WHERE incident = ? AND channel = ? AND hit IN (SELECT value FROM json_each(?))';
  // In one statement: there can be thousands.
  for (const [sql, hits] of [
    [remove, before.difference(now)],
    [add, now.difference(before)],
  ] as const)
    if (hits.size > 0) db.run(sql, incident, channel, JSON.stringify([...hits]));
}
