import type { Flip } from '../status/flip.ts';
import type { IncidentEvent } from '../status/handling.ts';
import { type Incident, latestHits } from '../status/incident.ts';
import type { NoticeKind } from '../status/notification-policy.ts';
import type { HistoryDatabase } from './database.ts';
import { flips } from './flips.ts';
import { incidentEvents } from './incident-events.ts';
import { type FailureRow, firstFailure } from './runs.ts';

/** A notice of an incident, and what came of it on each channel. */
export interface NoticeEntry {
  readonly at: number;
  readonly kind: NoticeKind;
  readonly channels: readonly { readonly name: string; readonly state: 'sent' | 'waiting' | 'given up' }[];
}

/** The evidence of one scenario of an incident. */
export interface Evidence {
  readonly hit: Flip;
  readonly failure?: FailureRow;
}

/** Everything on record about one incident. */
export interface IncidentStory {
  readonly incident: Incident;
  /** Flips out of it, in order. */
  readonly leaves: readonly Flip[];
  readonly notices: readonly NoticeEntry[];
  readonly events: readonly IncidentEvent[];
  readonly evidence: readonly Evidence[];
}

export function incidentStory(
  db: HistoryDatabase,
  incident: Incident,
  idOf: (flip: Flip) => number | undefined,
): IncidentStory {
  const ids = new Map(incident.hits.map((hit) => [hit, idOf(hit)]));
  return {
    incident,
    leaves: incident.hits.flatMap((hit) => leaveAfter(db, hit, ids.get(hit))).sort((a, b) => a.id - b.id),
    notices: noticesOf(db, incident.id),
    events: incidentEvents(db, incident.id),
    evidence: latestHits(incident).map((hit) => {
      const id = ids.get(hit);
      const failure = id === undefined ? undefined : firstFailure(db, id, hit.since);
      return { hit, ...(failure ? { failure } : {}) };
    }),
  };
}

function leaveAfter(db: HistoryDatabase, hit: Flip, scenario: number | undefined): Flip[] {
  const next = scenario === undefined ? undefined : flips(db, scenario).find(({ id }) => id > hit.id);
  return next ? [next] : [];
}

function noticesOf(db: HistoryDatabase, incident: number): NoticeEntry[] {
  const sent = db.all('SELECT key, channel, sent, given_up FROM notice WHERE incident = ?', incident);
  return db
    .all('SELECT id, kind, at FROM telling WHERE incident = ? ORDER BY id', incident)
    .map(({ id, kind, at }) => ({
      at: at as number,
      kind: kind as NoticeKind,
      channels: sent
        .filter(({ key, channel }) => key === `${db.instance}-${id}-${channel}`)
        .map(({ channel, sent: sentAt, given_up: givenUp }) => ({
          name: String(channel),
          state: sentAt !== null ? 'sent' : givenUp !== null ? 'given up' : 'waiting',
        })),
    }));
}
