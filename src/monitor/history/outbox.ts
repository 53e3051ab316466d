import { randomUUID } from 'node:crypto';
import type { NoticeKind } from '../status/due-notice.ts';
import type { Notified } from '../status/incident.ts';
import type { HistoryDatabase } from './database.ts';

export interface WaitingNotice {
  readonly id: number;
  /** Idempotency key. It is the same in all attempts, so that receivers can drop duplicates. */
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

/**
 * Puts a notice into the outbox. Without `key`, the notice gets a new key; if the outbox already has a notice with this key, adds nothing.
 * `incident` is 0 for a notice without an incident.
 * If earlier notices to the same channel about the same incident still wait for their first attempt, the new notice replaces them. It never
 * replaces the first notice of the incident, because later notices refer to the first one.
 */
export function addNotice(db: HistoryDatabase, { key, ...notice }: NewNotice, now: number): void {
  const { incident, channel } = notice;
  if (incident > 0)
    db.run(
      `UPDATE notice SET given_up = ?1, error = ?2 WHERE incident = ?3 AND channel = ?4 AND attempts = 0 AND sent IS NULL
        AND given_up IS NULL AND id > (SELECT min(id) FROM notice WHERE incident = ?3 AND channel = ?4)`,
      now,
      OUTDATED,
      incident,
      channel,
    );
  const row = { ...notice, key: key ?? randomUUID(), created: now };
  db.insert('notice', row, key === undefined ? 'INSERT' : 'INSERT OR IGNORE');
}

const OUTDATED = 'a newer notice was sent instead';

/**
 * Some channels forget alerts after a while. If an alert still fires, and one of these `channels` got its last notice at `before` (an
 * epoch, in ms) or earlier, puts this notice into the outbox again. The incident's next notice waits for it, so the receiver can't get the
 * renewed alert after the recovery.
 */
export function renewNotices(db: HistoryDatabase, channels: readonly string[], before: number, now: number): void {
  db.run(
    `UPDATE notice SET sent = NULL, attempts = 1 WHERE channel IN (SELECT value FROM json_each(?)) AND sent <= ?
      AND (kind IN ('down', 'more', 'still') OR (kind = 'expiring' AND body ->> 'until' > ?)) AND (incident = 0 OR NOT EXISTS
        (SELECT 1 FROM notice newer WHERE newer.incident = notice.incident AND newer.channel = notice.channel AND newer.id > notice.id))`,
    JSON.stringify(channels),
    before,
    new Date(now).toISOString(),
  );
}

/** For each incident and channel, the first notice that waits. Later notices must not overtake it. */
export function waitingNotices(db: HistoryDatabase): WaitingNotice[] {
  const sql = `SELECT * FROM notice WHERE id IN
    (SELECT min(id) FROM notice WHERE sent IS NULL AND given_up IS NULL GROUP BY incident, channel) ORDER BY id`;
  return db.all(sql);
}

/** Notes that an attempt to send the notice begins. After this, no newer notice replaces it. */
export function claimNotice(db: HistoryDatabase, id: number): void {
  db.run('UPDATE notice SET attempts = attempts + 1 WHERE id = ?', id);
}

/** Records the outcome of an attempt to send a notice. The outcome is `undefined` if another attempt follows. `at` is an epoch, in ms. */
export function noteAttempt(
  db: HistoryDatabase,
  id: number,
  outcome: 'sent' | 'given_up' | undefined,
  at: number,
  error: string | null = null,
): void {
  db.run(`UPDATE notice SET ${outcome ? `${outcome} = ?1, ` : ''}error = ?2 WHERE id = ?3`, at, error, id);
}

/**
 * The kinds of earlier notices about the incident that did not reach the channel, since the last notice that reached it. Leaves out
 * reminders.
 */
export function undeliveredBefore(db: HistoryDatabase, { id, incident, channel }: WaitingNotice): NoticeKind[] {
  const sql = 'SELECT kind, sent FROM notice WHERE incident = ? AND channel = ? AND id < ? ORDER BY id';
  const earlier = db.all<{ kind: NoticeKind; sent?: number }>(sql, incident, channel, id);
  const missed = earlier.slice(earlier.findLastIndex(({ sent }) => sent !== undefined) + 1);
  return missed.map(({ kind }) => kind).filter((kind) => kind === 'down' || kind === 'more');
}

/**
 * How many notices to these channels wait, since when the oldest waits (`oldest`: epoch, in ms), and how many were given up since
 * `recently`. Leaves out notices to channels that are no longer in the settings, because the monitor need not send them.
 */
export function outboxState(db: HistoryDatabase, channels: readonly string[], recently: number) {
  const sql = `SELECT count(*) FILTER (WHERE isWaiting) AS waiting, count(*) FILTER (WHERE isLost) AS givenUp,
    min(iif(isWaiting, created, NULL)) AS oldest,
    coalesce(max(iif(isWaiting, error, NULL)), max(iif(isLost, error, NULL))) AS lastError
    FROM (SELECT *, sent IS NULL AND given_up IS NULL AS isWaiting, given_up >= ? AND error <> ? AS isLost FROM notice
      WHERE channel IN (SELECT value FROM json_each(?)))`;
  type State = {
    readonly waiting: number;
    readonly givenUp: number;
    readonly oldest?: number;
    readonly lastError?: string;
  };
  return db.get<State>(sql, recently, OUTDATED, JSON.stringify(channels)) as State;
}

/** For each incident and each route (a group of channels): the record of its notices so far. */
export function notifiedSoFar(db: HistoryDatabase) {
  type Row = { readonly incident: number; readonly route: string; readonly told: Notified };
  return db.all<Row>('SELECT * FROM told').map(({ told, ...of }) => ({ ...of, notified: told }));
}

export function saveNotified(db: HistoryDatabase, incident: number, route: string, notified: Notified): void {
  db.insert('told', { incident, route, told: notified }, 'INSERT OR REPLACE');
}
