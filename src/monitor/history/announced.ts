import type { Span } from '../status/uptime.ts';
import type { HistoryDatabase } from './database.ts';

/** Something that somebody announced of an environment. Times are epochs, in ms. */
export interface Announced {
  readonly id: number;
  /** maintenance: runs go on, notices don't · pause: neither does */
  readonly kind: 'maintenance' | 'pause';
  readonly environment: string;
  /** Only this area is paused. */
  readonly area?: string;
  readonly start: number;
  readonly until: number;
  /** E.g. `release 41`; may be empty. */
  readonly why: string;
  readonly person: string;
  readonly endedBy?: string;
}

export function addAnnounced(db: HistoryDatabase, one: Omit<Announced, 'id' | 'endedBy'>): Announced {
  return { ...one, id: db.insert('announced', { ...one }) };
}

export function endAnnounced(db: HistoryDatabase, { id }: Pick<Announced, 'id'>, now: number, person: string): void {
  db.run('UPDATE announced SET until = ?, ended_by = ? WHERE id = ?', now, person, id);
}

/** Those that were in force at some time from `since` on, in order. */
export function announcedFrom(db: HistoryDatabase, since: number): Announced[] {
  const columns = 'id, kind, environment, area, start, until, why, person, ended_by AS endedBy';
  return db
    .all(`SELECT ${columns} FROM announced WHERE until >= ? ORDER BY id`, since)
    .map((row) => db.fields<Announced>(row));
}

export function noteMaintenance(db: HistoryDatabase, environment: string, { from, to }: Span): void {
  db.run(
    'INSERT INTO maintenance VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET until = max(until, excluded.until)',
    environment,
    from,
    to,
  );
}

/** A window that was ended before its time. */
export function shortenMaintenance(db: HistoryDatabase, environment: string, start: number, until: number): void {
  db.run('UPDATE maintenance SET until = ? WHERE environment = ? AND start = ?', until, environment, start);
}

export function pastMaintenance(db: HistoryDatabase, environment: string): Span[] {
  const sql = 'SELECT start AS "from", until AS "to" FROM maintenance WHERE environment = ? ORDER BY start';
  return db.all(sql, environment) as unknown as Span[];
}
