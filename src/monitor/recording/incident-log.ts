import { type Environment, present } from '../../config/index.ts';
import { composeNotice } from '../alerting/notice.ts';
import { type NoticeRoute, noticeRoutes, type Routes, type TagsOf } from '../alerting/routes.ts';
import type { HistoryDatabase } from '../history/database.ts';
import { addFlip, addIncidentEvent, flips, incidentEvents } from '../history/incidents.ts';
import { addNotice, saveTold, toldSoFar } from '../history/outbox.ts';
import {
  type DueNotice,
  dueNotice,
  FLAPPING_MS,
  type Moment,
  type NotificationPolicy,
  toldAfter,
} from '../status/due-notice.ts';
import type { Flip, ScenarioRef } from '../status/flip.ts';
import { afterEvent, type IncidentEvent } from '../status/handling.ts';
import { type Incident, IncidentBook, joinedIncident, type Member } from '../status/incident.ts';
import { type FlipRule, isBadStatus } from '../status/status.ts';
import type { Calendar } from './calendar.ts';

export interface RecorderOptions {
  readonly file: string;
  readonly environments: readonly Environment[];
  readonly rule: FlipRule & NotificationPolicy;
  /** How often scenarios run that spare no data, in ms: after a longer time without a look, a duration is a limit. */
  readonly everyMs: number;
  readonly channels: readonly string[];
  readonly routes: Routes;
  readonly tagsOf: TagsOf;
  readonly pageUrl: () => string;
  readonly runbookUrl?: string | undefined;
  /** Durations come from a clock that can't be set; absent: the calendar's time. */
  readonly steady?: () => number;
}

/** Now, by the calendar (epoch, in ms) and by the steady clock. */
export interface Now {
  readonly at: number;
  readonly steady: number;
}

/** Incidents in memory, as the history has them: flips make them, people handle them, and notices say what a route doesn't know yet. */
export class IncidentLog {
  readonly book = new IncidentBook();
  readonly #options: RecorderOptions;
  readonly #db: HistoryDatabase;
  readonly #calendar: Calendar;
  readonly #isMonitored: (scenario: ScenarioRef) => boolean;
  readonly #routes: readonly NoticeRoute[];
  /** Incidents that are open, or that a route believes to be. */
  readonly #unsettled = new Map<number, Incident>();

  constructor(
    options: RecorderOptions,
    db: HistoryDatabase,
    calendar: Calendar,
    isMonitored: (scenario: ScenarioRef) => boolean,
  ) {
    this.#options = options;
    this.#db = db;
    this.#calendar = calendar;
    this.#isMonitored = isMonitored;
    this.#routes = noticeRoutes(options.channels, options.routes, options.tagsOf);
    for (const flip of flips(db)) this.book.add(flip);
    const names = new Set(this.#routes.map(({ name }) => name));
    for (const { incident, route, told } of toldSoFar(db))
      if (names.has(route)) this.book.get(incident)?.told.set(route, told);
    for (const incident of this.book.all) this.#changed(incident);
    for (const event of incidentEvents(db)) this.#handled(event.incident, event);
  }

  handle(id: number, event: IncidentEvent): void {
    const hit = event.kind === 'acknowledged' ? this.book.get(id)?.hits.at(-1)?.id : undefined;
    const noted = { ...event, ...present({ hit }) };
    addIncidentEvent(this.#db, id, noted);
    this.#handled(id, noted);
  }

  #handled(id: number, event: IncidentEvent): void {
    const incident = this.book.get(id);
    if (!incident) return;
    incident.handling = afterEvent(incident.handling, event);
    this.#changed(incident);
  }

  /** Writes a flip down, with the incident that it opens or joins. */
  addFlip(scenario: number, flip: Omit<Flip, 'id'>): Flip {
    const joined = isBadStatus(flip.to) ? joinedIncident(flip, this.#unsettled.values()) : undefined;
    const added = addFlip(this.#db, scenario, { ...flip, ...(joined ? { incident: joined.id } : {}) });
    for (const incident of this.book.add(added)) this.#changed(incident);
    return added;
  }

  /** What a route doesn't know and should by now: to be written, within a transaction. */
  dueNotices(now: Now): (() => void)[] {
    const quiet = this.#unsettled.size > 0 ? this.#calendar.quietAt(now.at) : new Set<string>();
    return [...this.#unsettled.values()].flatMap((incident) => {
      const moment = this.#moment(incident, now.steady, quiet);
      return this.#routes.flatMap((route) => {
        const members = incident.members.filter(({ hit }) => route.concerns(hit));
        const due = dueNotice(members, incident.told.get(route.name), moment, this.#options.rule);
        return due ? [() => this.#write(incident, route, due, members, now)] : [];
      });
    });
  }

  #changed(incident: Incident): void {
    if (incident.until !== undefined && !incident.isTold) this.#unsettled.delete(incident.id);
    else this.#unsettled.set(incident.id, incident);
  }

  #moment(incident: Incident, now: number, quiet: ReadonlySet<string>): Moment {
    const elsewhere = (scenario: ScenarioRef) => {
      const other = this.book.of(scenario);
      return other !== undefined && other !== incident;
    };
    return {
      now,
      acknowledged: incident.handling.acknowledged?.hit ?? 0,
      // What is open has not recovered.
      failures: incident.until === undefined ? 0 : this.book.failuresFrom(incident, now - FLAPPING_MS),
      isQuiet: (name) => quiet.has(name),
      isMonitored: this.#isMonitored,
      isElsewhere: elsewhere,
    };
  }

  #write(
    incident: Incident,
    route: NoticeRoute,
    due: DueNotice,
    members: readonly Member[],
    { at, steady }: Now,
  ): void {
    const { pageUrl, runbookUrl } = this.#options;
    const { instance } = this.#db;
    const context = { instance, pageUrl: pageUrl(), runbookUrl, now: at, steady };
    const body = JSON.stringify(composeNotice(incident, due, context));
    for (const channel of route.channels)
      addNotice(this.#db, { incident: incident.id, channel, kind: due.kind, body }, at);
    const told = toldAfter(incident.told.get(route.name), due, members, steady);
    saveTold(this.#db, incident.id, route.name, told);
    incident.told.set(route.name, told);
    this.#changed(incident);
  }
}
