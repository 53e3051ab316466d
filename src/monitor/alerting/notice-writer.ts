import type { Environment } from '../../config/index.ts';
import type { HistoryDatabase } from '../history/database.ts';
import { addNotification, notifications } from '../history/flips.ts';
import { addNotice } from '../history/outbox.ts';
import { sizeOf } from '../status/extent.ts';
import { type Handling, isMutedAt, unhandled } from '../status/handling.ts';
import type { Incident } from '../status/incident.ts';
import { maintenanceAt } from '../status/maintenance.ts';
import {
  afterNotice,
  dueNotice,
  type NoticeKind,
  type NotificationPolicy,
  type Notified,
  neverNotified,
} from '../status/notification-policy.ts';
import { composeNotice } from './compose-notice.ts';

export interface NoticeWriterOptions {
  readonly db: HistoryDatabase;
  readonly environments: readonly Environment[];
  readonly rule: NotificationPolicy;
  /** Names of the channels to write notices for. */
  readonly channels: readonly string[];
  readonly pageUrl: () => string;
  /** Whether a scenario of the incident still runs: without one it can't end, and gets no reminders. */
  readonly isWatched: (incident: Incident) => boolean;
  readonly handling: (incident: number) => Handling | undefined;
}

/** Writes the notices of incidents into the outbox when they are due. */
export class NoticeWriter {
  readonly #options: NoticeWriterOptions;
  readonly #notified: Map<number, Notified>;
  /** Incidents that may still need a notice. */
  readonly #unsettled = new Map<number, Incident>();

  constructor(options: NoticeWriterOptions, incidents: Iterable<Incident>) {
    this.#options = options;
    this.#notified = notifications(options.db);
    for (const incident of incidents) this.changed(incident);
  }

  changed(incident: Incident): void {
    const { down, up } = this.#notifiedOf(incident);
    if (incident.until !== undefined && (!down || up)) this.#unsettled.delete(incident.id);
    else this.#unsettled.set(incident.id, incident);
  }

  isDue(now: number): boolean {
    return this.#due(now).length > 0;
  }

  /** Writes what is due; to be called within a transaction. */
  write(now: number): void {
    const { db, channels, pageUrl } = this.#options;
    const { instance } = db;
    for (const { incident, kind } of this.#due(now)) {
      const notification = addNotification(db, incident, kind, now);
      const body = JSON.stringify(composeNotice(incident, kind, { instance, pageUrl: pageUrl(), now }));
      for (const channel of channels)
        addNotice(db, { key: `${instance}-${notification}-${channel}`, incident: incident.id, channel, body }, now);
      this.#notified.set(incident.id, afterNotice(this.#notifiedOf(incident), kind, sizeOf(incident), now));
      this.changed(incident);
    }
  }

  #due(now: number): { incident: Incident; kind: NoticeKind }[] {
    const { environments, rule, isWatched, handling } = this.#options;
    if (this.#unsettled.size === 0) return [];
    const inMaintenance = new Set(
      environments.filter(({ monitoring }) => maintenanceAt(monitoring.maintenance, now)).map(({ name }) => name),
    );
    return [...this.#unsettled.values()].flatMap((incident) => {
      if (incident.until === undefined && !isWatched(incident)) return [];
      const handled = handling(incident.id) ?? unhandled;
      const quiet = {
        isMaintenance: inMaintenance.size > 0 && namesIn(incident).every((name) => inMaintenance.has(name)),
        isMuted: isMutedAt(handled, now),
        isAcknowledged: handled.acknowledged !== undefined,
      };
      const kind = dueNotice(incident, this.#notifiedOf(incident), now, quiet, rule);
      return kind ? [{ incident, kind }] : [];
    });
  }

  #notifiedOf({ id }: Incident): Notified {
    return this.#notified.get(id) ?? neverNotified;
  }
}

/** The environments in which an incident is still open; of one that is over, all that it was open in. */
function namesIn({ open, hits }: Incident): string[] {
  const refs = open.length > 0 ? open : hits.map(({ scenario }) => scenario);
  return [...new Set(refs.map(({ environment }) => environment))];
}
