import type { NoticeKind } from '../status/due-notice.ts';
import type { Flip } from '../status/flip.ts';
import type { IncidentEvent } from '../status/incident.ts';
import { isBadStatus } from '../status/status.ts';
import type { Span } from '../status/uptime.ts';
import type { HistoryDatabase } from './database.ts';

/** Writes a flip down; one that opens an incident gets its own id for that. */
export function addFlip(db: HistoryDatabase, scenario: number, flip: Omit<Flip, 'id'>): Flip {
  const { from, to, isAtMost, scenario: _, area: __, ...known } = flip;
  const row = { ...known, scenario, before: from, after: to, at_most: isAtMost ? 1 : undefined };
  const id = db.insert('flip', row);
  if (!isBadStatus(to) || flip.incident !== undefined) return { ...flip, id };
  db.run('UPDATE flip SET incident = id WHERE id = ?', id);
  return { ...flip, id, incident: id };
}

/** All flips in order, or those of one scenario. */
export function flips(db: HistoryDatabase, scenario?: number): Flip[] {
  const sql = `SELECT flip.id, area, before AS "from", after AS "to", since, steady, at_most, at, verdict, grade, reason, curl, sentence,
    cause, incident, environment, title FROM flip JOIN scenario ON scenario.id = flip.scenario`;
  const [where, values] = scenario === undefined ? ['', []] : ['WHERE flip.scenario = ?', [scenario]];
  const rows = db.all(`${sql} ${where} ORDER BY flip.id`, ...values);
  return rows.map(({ environment, title, at_most: isAtMost, ...row }) => ({
    ...db.fields<Omit<Flip, 'scenario'>>(row, 'cause'),
    ...(isAtMost ? { isAtMost: true as const } : {}),
    scenario: { environment: String(environment), title: String(title) },
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

/** Maintenance of an environment that somebody announced. Times are epochs, in ms. */
export interface Announced {
  readonly id: number;
  readonly environment: string;
  readonly start: number;
  readonly until: number;
  /** E.g. `release 41`; may be empty. */
  readonly why: string;
  readonly person: string;
  readonly endedBy?: string;
}

/** Notices of one kind and moment are one, to several channels: what came of it on each. */
export function noticesOf(db: HistoryDatabase, incident: number) {
  const sql = 'SELECT kind, created, channel, sent, given_up FROM notice WHERE incident = ? ORDER BY id';
  const rows = db.all(sql, incident);
  return [...Map.groupBy(rows, ({ kind, created }) => `${kind} ${created}`).values()].map((of) => {
    const channels = of.map(({ channel, sent, given_up: givenUp }) => ({
      name: String(channel),
      state: sent !== null ? ('sent' as const) : givenUp !== null ? ('given up' as const) : ('waiting' as const),
    }));
    return { at: Number(of[0]?.created), kind: of[0]?.kind as NoticeKind, channels };
  });
}

export function addIncidentEvent(db: HistoryDatabase, incident: number, event: IncidentEvent): void {
  db.insert('incident_event', { ...event, incident });
}

/** What people did about incidents, or about one, in order. */
export function incidentEvents(db: HistoryDatabase, id?: number): (IncidentEvent & { readonly incident: number })[] {
  const columns = 'incident, at, kind, person, text, hit';
  const sql = `SELECT ${columns} FROM incident_event WHERE incident = coalesce(?, incident) ORDER BY id`;
  return db.all(sql, id ?? null).map((row) => db.fields(row));
}
