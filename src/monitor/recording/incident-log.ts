import { addFlip, flips, setIncident } from '../history/flips.ts';
import { addIncidentEvent, incidentEvents } from '../history/incident-story.ts';
import type { Cause, Flip } from '../status/flip.ts';
import { afterEvent, type IncidentEvent, isMutedAt } from '../status/handling.ts';
import type { Incident } from '../status/incident.ts';
import { IncidentBook } from '../status/incident-book.ts';
import { joinedIncident } from '../status/joined-incident.ts';
import { isBadStatus } from '../status/status.ts';
import { type NoticeSources, NoticeWriter, type RecorderOptions } from './notice-writer.ts';

type Known = Omit<NoticeSources, 'book'>;

/** Incidents in memory, as the history has them: flips make them, people handle them, notices follow. */
export class IncidentLog {
  readonly #known: Known;
  readonly #confirmAfterMs: number;
  readonly book = new IncidentBook();
  readonly #notices: NoticeWriter;

  /** Restores them from the file. */
  constructor(options: RecorderOptions, known: Known) {
    this.#known = known;
    this.#confirmAfterMs = options.confirmAfterMs;
    for (const flip of flips(known.db)) this.book.add(flip);
    for (const event of incidentEvents(known.db)) this.#handled(event.incident, event);
    this.#notices = new NoticeWriter(options, { ...known, book: this.book });
  }

  handle(id: number, event: IncidentEvent): void {
    addIncidentEvent(this.#known.db, id, event);
    const incident = this.#handled(id, event);
    if (incident) this.#notices.changed(incident);
  }

  #handled(id: number, event: IncidentEvent): Incident | undefined {
    const incident = this.book.get(id);
    if (incident) incident.handling = afterEvent(incident.handling, event);
    return incident;
  }

  /** Writes a flip down, with the incident that it opens or joins. */
  addFlip(scenario: number, flip: Omit<Flip, 'id'>, intervalMs: number): Flip {
    const { db, calendar } = this.#known;
    const isHit = isBadStatus(flip.to);
    const rule = {
      withinMs: intervalMs + this.#confirmAfterMs,
      isMuted: ({ handling }: Incident) => isMutedAt(handling, flip.at),
      isMaintenance: (name: string) => calendar.isQuiet(name, flip.at),
      isBelieved: ({ id }: Incident, hits: readonly Flip[]) => this.#notices.isBelieved(id, hits),
    };
    const joined = isHit ? joinedIncident(flip, this.book, rule) : undefined;
    const cause = this.#withoutKnown(flip.cause, joined);
    let added = addFlip(db, scenario, { ...flip, cause, ...(joined ? { incident: joined.id } : {}) });
    if (isHit && !joined) {
      setIncident(db, added.id, added.id);
      added = { ...added, incident: added.id };
    }
    for (const incident of this.book.add(added)) this.#notices.changed(incident);
    return added;
  }

  /**
   * The cause without the names of environments that its incident has already (thousands of flips would repeat hundreds of them), and of
   * those that are down in another incident.
   */
  #withoutKnown(cause: Cause, incident: Incident | undefined): Cause {
    if (!cause.pattern?.others) return cause;
    const isElsewhere = (name: string) =>
      this.book.near(name).some((one) => one !== incident && one.hasEnvironment(name));
    const { others, ...pattern } = cause.pattern;
    const added = others.filter((name) => !incident?.isAbout(name) && !isElsewhere(name));
    return { ...cause, pattern: { ...pattern, ...(added.length > 0 ? { others: added } : {}) } };
  }

  /** What a channel doesn't know and should by now: to be written, within a transaction. */
  dueNotices(now: number): (() => void)[] {
    return this.#notices.due(now);
  }
}
