import { NoticeWriter, type NoticeWriterOptions } from './alerting/notice-writer.ts';
import { addFlip, flips, setIncident } from './history/flips.ts';
import { addIncidentEvent, handlings } from './history/incident-events.ts';
import { extentOf } from './status/extent.ts';
import type { Cause, Flip, ScenarioRef } from './status/flip.ts';
import { afterEvent, type Handling, type IncidentEvent, isMutedAt, unhandled } from './status/handling.ts';
import { type Incident, IncidentBook } from './status/incident.ts';
import { joinedIncident } from './status/joined-incident.ts';
import { maintenanceAt } from './status/maintenance.ts';

export interface IncidentLogOptions extends Omit<NoticeWriterOptions, 'isWatched' | 'handling'> {
  readonly confirmAfterMs: number;
  readonly isMonitored: (scenario: ScenarioRef) => boolean;
}

/** Incidents in memory, as the history has them: flips make them, people handle them, notices follow. */
export class IncidentLog {
  readonly #options: IncidentLogOptions;
  readonly #book = new IncidentBook();
  readonly #handlings: Map<number, Handling>;
  readonly #notices: NoticeWriter;

  /** Restores them from the file. */
  constructor(options: IncidentLogOptions) {
    this.#options = options;
    for (const flip of flips(options.db)) this.#book.add(flip);
    this.#handlings = handlings(options.db);
    const isWatched = ({ open }: Incident) => open.some(options.isMonitored);
    this.#notices = new NoticeWriter({ ...options, isWatched, handling: (id) => this.handling(id) }, this.#book.all);
  }

  get all(): Incident[] {
    return [...this.#book.all];
  }

  get open(): Incident[] {
    return [...this.#book.open];
  }

  get(id: number): Incident | undefined {
    return this.#book.get(id);
  }

  handling(id: number): Handling {
    return this.#handlings.get(id) ?? unhandled;
  }

  /** Writes down what somebody did about an incident. */
  handle(id: number, event: IncidentEvent): void {
    addIncidentEvent(this.#options.db, id, event);
    this.#handlings.set(id, afterEvent(this.handling(id), event));
  }

  /** Writes a flip down, with the incident that it opens or joins. */
  addFlip(scenario: number, flip: Omit<Flip, 'id'>, intervalMs: number): Flip {
    const { db, confirmAfterMs } = this.#options;
    const isHit = flip.to === 'down' || flip.to === 'skipped';
    const rule = {
      withinMs: intervalMs + confirmAfterMs,
      isMuted: ({ id }: Incident) => isMutedAt(this.handling(id), flip.at),
      isMaintenance: (name: string) => this.#isMaintenance(name, flip.at),
    };
    const joined = isHit ? joinedIncident(flip, this.#book.open, rule) : undefined;
    const cause = joined ? withoutKnown(flip.cause, joined) : flip.cause;
    let added = addFlip(db, scenario, { ...flip, cause, ...(joined ? { incident: joined.id } : {}) });
    if (isHit && !joined) {
      setIncident(db, added.id, added.id);
      added = { ...added, incident: added.id };
    }
    for (const incident of this.#book.add(added)) this.#notices.changed(incident);
    return added;
  }

  #isMaintenance(environment: string, at: number): boolean {
    const found = this.#options.environments.find(({ name }) => name === environment);
    return found !== undefined && maintenanceAt(found.monitoring.maintenance, at) !== undefined;
  }

  /** Whether a notice is due that no run brings: a reminder, or an alert at the end of a maintenance window. */
  isNoticeDue(now: number): boolean {
    return this.#notices.isDue(now);
  }

  writeNotices(now: number): void {
    this.#notices.write(now);
  }
}

/** The cause without the names of environments that its incident has already: thousands of flips would repeat hundreds of them. */
function withoutKnown(cause: Cause, incident: Incident): Cause {
  if (!cause.pattern?.others) return cause;
  const { environments } = extentOf(incident);
  const { others, ...pattern } = cause.pattern;
  const added = others.filter((name) => !environments.includes(name));
  return { ...cause, pattern: { ...pattern, ...(added.length > 0 ? { others: added } : {}) } };
}
