import type { NoticeKind } from '../status/due-notice.ts';
import type { Flip, ScenarioRef } from '../status/flip.ts';
import type { IncidentEvent } from '../status/incident.ts';
import { isBadStatus } from '../status/status.ts';
import type { Span } from '../status/uptime.ts';
import type { HistoryDatabase } from './database.ts';

/** Records a change of status. If the change opens an incident, the incident gets its id from the change. */
export function addFlip(db: HistoryDatabase, scenario: number, flip: Omit<Flip, 'id'>): Flip {
  const { area: _, ...row } = flip;
  const id = db.insert('flip', { ...row, scenario });
  if (!isBadStatus(flip.to) || flip.incident !== undefined) return { ...flip, id };
  db.run('UPDATE flip SET incident = id WHERE id = ?', id);
  return { ...flip, id, incident: id };
}

/** Changes of status in order, of all scenarios or of one. */
export function flips(db: HistoryDatabase, scenario?: number): Flip[] {
  const sql = `SELECT flip.*, area, environment, title FROM flip JOIN scenario ON scenario.id = flip.scenario
    WHERE flip.scenario = coalesce(?, flip.scenario) ORDER BY flip.id`;
  const rows = db.all<Omit<Flip, 'scenario' | 'isAtMost'> & ScenarioRef & { isAtMost?: 1 }>(sql, scenario ?? null);
  return rows.map(({ environment, title, isAtMost, ...row }) => {
    return { ...row, ...(isAtMost ? { isAtMost: true } : {}), scenario: { environment, title } };
  });
}

/** The spans in which a scenario was down. The last span ends at infinity if the scenario is still down. */
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

/** Maintenance of an environment that somebody announced. Its times are epochs, in ms. */
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

/**
 * The notices about an incident. There is one row for each channel of a notice, with the result of its delivery there, so several rows may
 * have the same kind and time.
 */
export function noticesOf(db: HistoryDatabase, incident: number) {
  const sql = `SELECT kind, created AS at, channel AS name,
    iif(sent IS NOT NULL, 'sent', iif(given_up IS NOT NULL, 'given up', 'waiting')) AS state FROM notice WHERE incident = ? ORDER BY id`;
  type Row = { kind: NoticeKind; at: number; name: string; state: 'sent' | 'given up' | 'waiting' };
  return [...Map.groupBy(db.all<Row>(sql, incident), ({ kind, at }) => `${kind} ${at}`).values()].map((channels) => {
    const { kind, at } = channels[0] as Row;
    return { at, kind, channels };
  });
}

export function addIncidentEvent(db: HistoryDatabase, incident: number, event: IncidentEvent): void {
  db.insert('incident_event', { ...event, incident });
}

/** Actions of people on the incident `id`, or on all incidents, in order. */
export function incidentEvents(db: HistoryDatabase, id?: number) {
  const sql = 'SELECT * FROM incident_event WHERE incident = coalesce(?, incident) ORDER BY id';
  return db.all<IncidentEvent & { readonly incident: number }>(sql, id ?? null);
}
