import type { NoticeKind } from '../status/due-notice.ts';
import type { Flip } from '../status/flip.ts';
import { gravestFirst } from '../status/gravity.ts';
import type { IncidentEvent } from '../status/handling.ts';
import type { Incident } from '../status/incident.ts';
import type { Announced } from './announced.ts';
import type { HistoryDatabase } from './database.ts';
import { firstFailure } from './runs.ts';

/** Scenarios of which the failing calls are read; more would show the same. */
const MOST_EVIDENCE = 50;

export type IncidentStory = ReturnType<typeof incidentStory>;

/** Everything on record about one incident. `announced`: of its environments while it was open, and shortly before. */
export function incidentStory(
  db: HistoryDatabase,
  incident: Incident,
  idOf: (flip: Flip) => number | undefined,
  announced: readonly Announced[],
) {
  return {
    incident,
    announced,
    notices: noticesOf(db, incident.id),
    events: incidentEvents(db, incident.id),
    evidence: gravestFirst(incident.latest)
      .slice(0, MOST_EVIDENCE)
      .map((hit) => {
        const id = idOf(hit);
        const failure = id === undefined ? undefined : firstFailure(db, id, hit.since);
        return { hit, failure };
      }),
  };
}

/** Notices of one kind and moment are one, to several channels: what came of it on each. */
function noticesOf(db: HistoryDatabase, incident: number) {
  const rows = db.all(
    'SELECT kind, created, channel, sent, given_up FROM notice WHERE incident = ? ORDER BY id',
    incident,
  );
  return [...Map.groupBy(rows, ({ kind, created }) => `${kind} ${created}`).values()].flatMap((of) => {
    const [first] = of;
    if (!first) return [];
    const channels = of.map(({ channel, sent, given_up: givenUp }) => ({
      name: String(channel),
      state: sent !== null ? ('sent' as const) : givenUp !== null ? ('given up' as const) : ('waiting' as const),
    }));
    return [{ at: Number(first.created), kind: first.kind as NoticeKind, channels }];
  });
}

export function addIncidentEvent(db: HistoryDatabase, incident: number, event: IncidentEvent): void {
  db.insert('incident_event', { ...event, incident });
}

/** What people did about incidents, or about one, in order. */
export function incidentEvents(db: HistoryDatabase, id?: number): (IncidentEvent & { readonly incident: number })[] {
  return db
    .all(
      'SELECT incident, at, kind, person, text, until FROM incident_event WHERE incident = coalesce(?, incident) ORDER BY id',
      id ?? null,
    )
    .map((row) => db.fields(row));
}
