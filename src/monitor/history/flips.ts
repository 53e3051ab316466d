import type { Cause, Flip } from '../status/flip.ts';
import type { Span } from '../status/uptime.ts';
import type { HistoryDatabase } from './database.ts';

export function addFlip(db: HistoryDatabase, scenario: number, flip: Omit<Flip, 'id'>): Flip {
  const { from, to, since, at, verdict, grade, reason, curl, call, incident, cause } = flip;
  const { kind, address, pattern } = cause;
  const known = { scenario, since, at, verdict, grade, reason, curl, call, incident };
  return { ...flip, id: db.insert('flip', { ...known, before: from, after: to, cause: kind, address, pattern }) };
}

export function setIncident(db: HistoryDatabase, flip: number, incident: number): void {
  db.run('UPDATE flip SET incident = ? WHERE id = ?', incident, flip);
}

/** All flips in order, or those of one scenario. */
export function flips(db: HistoryDatabase, scenario?: number): Flip[] {
  const sql = `SELECT flip.id, area, before AS "from", after AS "to", since, at, verdict, grade, reason, curl, call, incident,
    environment, title, cause AS kind, address, pattern FROM flip JOIN scenario ON scenario.id = flip.scenario`;
  const rows =
    scenario === undefined
      ? db.all(`${sql} ORDER BY flip.id`)
      : db.all(`${sql} WHERE flip.scenario = ? ORDER BY flip.id`, scenario);
  return rows.map(({ environment, title, kind = null, address = null, pattern = null, ...row }) => ({
    ...db.fields<Omit<Flip, 'scenario' | 'cause'>>(row, 'call'),
    scenario: { environment: String(environment), title: String(title) },
    cause: db.fields<Cause>({ kind, address, pattern }, 'pattern'),
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
