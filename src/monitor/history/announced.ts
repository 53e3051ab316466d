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

export function addAnnounced(db: HistoryDatabase, one: Omit<Announced, 'id'>): Announced {
  const { kind, environment, area, start, until, why, person } = one;
  const { id } = db.run(
    'INSERT INTO announced (kind, environment, area, start, until, why, person) VALUES (?, ?, ?, ?, ?, ?, ?)',
    kind,
    environment,
    area ?? null,
    start,
    until,
    why,
    person,
  );
  return { ...one, id };
}

export function endAnnounced(db: HistoryDatabase, { id }: Pick<Announced, 'id'>, now: number, person: string): void {
  db.run('UPDATE announced SET until = ?, ended_by = ? WHERE id = ?', now, person, id);
}

/** Those that were in force at some time from `since` on, in order. */
export function announcedFrom(db: HistoryDatabase, since: number): Announced[] {
  return db
    .all('SELECT * FROM announced WHERE until >= ? ORDER BY id', since)
    .map(({ id, kind, environment, area, start, until, why, person, ended_by: endedBy }) => ({
      id: Number(id),
      kind: kind as Announced['kind'],
      environment: String(environment),
      ...(area === null ? {} : { area: String(area) }),
      start: Number(start),
      until: Number(until),
      why: String(why),
      person: String(person),
      ...(endedBy === null ? {} : { endedBy: String(endedBy) }),
    }));
}
