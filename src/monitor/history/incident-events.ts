import { afterEvent, type Handling, type IncidentEvent, unhandled } from '../status/handling.ts';
import type { HistoryDatabase } from './database.ts';

export function addIncidentEvent(db: HistoryDatabase, incident: number, event: IncidentEvent): void {
  const { at, kind, person, text, until } = event;
  db.run(
    'INSERT INTO incident_event (incident, at, kind, person, text, until) VALUES (?, ?, ?, ?, ?, ?)',
    incident,
    at,
    kind,
    person,
    text,
    until ?? null,
  );
}

/** What people did about an incident, in order. */
export function incidentEvents(db: HistoryDatabase, incident: number): IncidentEvent[] {
  return db.all('SELECT * FROM incident_event WHERE incident = ? ORDER BY id', incident).map(toEvent);
}

/** Where every incident stands that somebody did something about. */
export function handlings(db: HistoryDatabase): Map<number, Handling> {
  const all = new Map<number, Handling>();
  for (const row of db.all('SELECT * FROM incident_event ORDER BY id')) {
    const incident = row.incident as number;
    all.set(incident, afterEvent(all.get(incident) ?? unhandled, toEvent(row)));
  }
  return all;
}

function toEvent(row: Readonly<Record<string, unknown>>): IncidentEvent {
  return {
    at: row.at as number,
    kind: row.kind as IncidentEvent['kind'],
    person: row.person as string,
    text: row.text as string,
    ...(row.until === null ? {} : { until: row.until as number }),
  };
}
