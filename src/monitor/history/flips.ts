import type { Grade, Verdict } from '../../client/index.ts';
import type { AreaId } from '../../spec/index.ts';
import type { Cause, Flip, Pattern } from '../status/flip.ts';
import type { Status } from '../status/status.ts';
import type { Span } from '../status/uptime.ts';
import type { HistoryDatabase } from './database.ts';

export function addFlip(db: HistoryDatabase, scenario: number, flip: Omit<Flip, 'id'>): Flip {
  const { id } = db.run(
    'INSERT INTO flip (scenario, before, after, since, at, verdict, grade, reason, curl, call, cause, address, pattern, incident) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
    scenario,
    flip.from,
    flip.to,
    flip.since,
    flip.at,
    flip.verdict,
    flip.grade ?? null,
    flip.reason ?? null,
    flip.curl ?? null,
    flip.call ? JSON.stringify(flip.call) : null,
    flip.cause.kind,
    flip.cause.address,
    flip.cause.pattern ? JSON.stringify(flip.cause.pattern) : null,
    flip.incident ?? null,
  );
  return { ...flip, id };
}

/** Writes down the incident of a flip. */
export function setIncident(db: HistoryDatabase, flip: number, incident: number): void {
  db.run('UPDATE flip SET incident = ? WHERE id = ?', incident, flip);
}

/** All flips in order, or those of one scenario. */
export function flips(db: HistoryDatabase, scenario?: number): Flip[] {
  const sql = 'SELECT flip.*, environment, title, area FROM flip JOIN scenario ON scenario.id = flip.scenario';
  const rows =
    scenario === undefined
      ? db.all(`${sql} ORDER BY flip.id`)
      : db.all(`${sql} WHERE flip.scenario = ? ORDER BY flip.id`, scenario);
  return rows.map((row) => ({
    id: row.id as number,
    scenario: { environment: row.environment as string, title: row.title as string },
    area: row.area as AreaId | 'all',
    from: row.before as Status,
    to: row.after as Status,
    since: row.since as number,
    at: row.at as number,
    verdict: row.verdict as Verdict,
    ...(row.grade ? { grade: row.grade as Grade } : {}),
    ...(row.reason ? { reason: row.reason as string } : {}),
    ...(row.curl ? { curl: row.curl as string } : {}),
    ...(row.call ? { call: db.json(row.call) as NonNullable<Flip['call']> } : {}),
    cause: {
      kind: row.cause as Cause['kind'],
      address: row.address as string,
      ...(row.pattern ? { pattern: db.json(row.pattern) as Pattern } : {}),
    },
    ...(row.incident ? { incident: row.incident as number } : {}),
  }));
}

/** The spans in which a scenario was down; the last is open if it still is. */
export function downSpans(all: readonly Flip[]): Span[] {
  const spans: Span[] = [];
  let from: number | undefined;
  for (const { to, since } of all) {
    if (to === 'down') from ??= since;
    else if (from !== undefined) {
      spans.push({ from, to: since });
      from = undefined;
    }
  }
  return from === undefined ? spans : [...spans, { from, to: Number.POSITIVE_INFINITY }];
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
  return db
    .all('SELECT start, until FROM maintenance WHERE environment = ? ORDER BY start', environment)
    .map(({ start, until }) => ({ from: start as number, to: until as number }));
}
