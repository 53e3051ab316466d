import type { Environment } from '../../config/index.ts';
import { composeNotice } from '../alerting/notice.ts';
import { type Routes, routedFrom, type TagsOf } from '../alerting/routes.ts';
import type { HistoryDatabase } from '../history/database.ts';
import { addFlip, addIncidentEvent, flips, incidentEvents, setIncident } from '../history/incidents.ts';
import { addNotice, saveTold, toldKey, toldSoFar } from '../history/outbox.ts';
import {
  dueNotice,
  FLAPPING_MS,
  isTelling,
  type NotificationPolicy,
  type Outcome,
  type Told,
} from '../status/due-notice.ts';
import type { Cause, Flip, ScenarioRef } from '../status/flip.ts';
import { afterEvent, type Incident, type IncidentEvent, isMutedAt } from '../status/incident.ts';
import { IncidentBook, joinedIncident } from '../status/incident-book.ts';
import { type FlipRule, isBadStatus } from '../status/status.ts';
import type { Calendar } from './calendar.ts';

export interface RecorderOptions {
  readonly file: string;
  readonly environments: readonly Environment[];
  readonly rule: FlipRule & NotificationPolicy;
  /** Failures with one cause are noticed within an interval and this, in ms. */
  readonly confirmAfterMs: number;
  readonly channels: readonly string[];
  /** Which failures a channel is to hear of, and when. */
  readonly routes: Routes;
  readonly tagsOf: TagsOf;
  readonly pageUrl: () => string;
  readonly runbookUrl?: string | undefined;
}

interface Known {
  readonly db: HistoryDatabase;
  readonly calendar: Calendar;
  readonly isMonitored: (scenario: ScenarioRef) => boolean;
}

const nothing: Told = { hits: new Set() };

interface Unsettled {
  readonly incident: Incident;
  /** When it was last compared with what the channels know; epoch, in ms. */
  comparedAt: number;
  isChanged: boolean;
}

/** All of an incident is looked at with each comparison: of a large one not with each of thousands of changes. */
const LARGE = 100;

/** Time alone makes something due, too: a reminder, or the end of a maintenance window. */
const LOOK_MS = 5_000;

/** A calendar that was set back says nothing of the last comparison. */
function isToCompare({ incident, comparedAt, isChanged }: Unsettled, now: number): boolean {
  return now < comparedAt || now >= comparedAt + LOOK_MS || (isChanged && incident.hits.length < LARGE);
}

interface Compared {
  readonly incident: Incident;
  readonly channel: string;
  readonly before: Told;
  readonly outcome: Outcome;
}

/** Incidents in memory, as the history has them: flips make them, people handle them, and notices say what the channels don't know yet. */
export class IncidentLog {
  readonly book = new IncidentBook();
  readonly #options: RecorderOptions;
  readonly #known: Known;
  readonly #told: Map<string, Told>;
  /** Incidents that are open, or that a channel believes to be. */
  readonly #unsettled = new Map<number, Unsettled>();

  /** Restores them from the file. */
  constructor(options: RecorderOptions, known: Known) {
    this.#options = options;
    this.#known = known;
    this.#told = toldSoFar(known.db);
    for (const flip of flips(known.db)) this.book.add(flip);
    for (const incident of this.book.all) this.#changed(incident);
    for (const event of incidentEvents(known.db)) this.#handled(event.incident, event);
  }

  handle(id: number, event: IncidentEvent): void {
    addIncidentEvent(this.#known.db, id, event);
    this.#handled(id, event);
  }

  #handled(id: number, event: IncidentEvent): void {
    const incident = this.book.get(id);
    if (!incident) return;
    incident.handling = afterEvent(incident.handling, event);
    this.#changed(incident);
  }

  /** Writes a flip down, with the incident that it opens or joins. */
  addFlip(scenario: number, flip: Omit<Flip, 'id'>, intervalMs: number): Flip {
    const { db, calendar } = this.#known;
    const isHit = isBadStatus(flip.to);
    const rule = {
      withinMs: intervalMs + this.#options.confirmAfterMs,
      isMuted: ({ handling }: Incident) => isMutedAt(handling, flip.at),
      isMaintenance: (name: string) => calendar.isQuiet(name, flip.at),
      isBelieved: ({ id }: Incident, hits: readonly Flip[]) =>
        this.#toldOf(id).some((told) => isTelling(told) && hits.some((hit) => told.hits.has(hit.id))),
    };
    const joined = isHit ? joinedIncident(flip, this.book, rule) : undefined;
    const cause = this.#withoutKnown(flip.cause, joined);
    let added = addFlip(db, scenario, { ...flip, cause, ...(joined ? { incident: joined.id } : {}) });
    if (isHit && !joined) {
      setIncident(db, added.id, added.id);
      added = { ...added, incident: added.id };
    }
    for (const incident of this.book.add(added)) this.#changed(incident);
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
    const open = [...this.#unsettled.values()].filter((one) => isToCompare(one, now));
    const quiet = open.length > 0 ? this.#known.calendar.quietAt(now) : new Set<string>();
    return open.flatMap((one) => {
      Object.assign(one, { comparedAt: now, isChanged: false });
      return this.#options.channels
        .map((channel) => this.#compared(one.incident, channel, now, quiet))
        .filter(({ before, outcome }) => outcome.notice || outcome.told.size !== before.hits.size)
        .map((compared) => () => this.#write(compared, now));
    });
  }

  #changed(incident: Incident): void {
    const { id, until } = incident;
    if (until !== undefined && !this.#toldOf(id).some(isTelling)) this.#unsettled.delete(id);
    else {
      const { comparedAt = Number.NEGATIVE_INFINITY } = this.#unsettled.get(id) ?? {};
      this.#unsettled.set(id, { incident, comparedAt, isChanged: true });
    }
  }

  #compared(incident: Incident, channel: string, now: number, quiet: ReadonlySet<string>): Compared {
    const { rule, routes, tagsOf } = this.#options;
    const { calendar, isMonitored } = this.#known;
    const acknowledgedAt = incident.handling.acknowledged?.at;
    const before = this.#told.get(toldKey({ incident: incident.id, channel })) ?? nothing;
    const moment = {
      now,
      isMuted: isMutedAt(incident.handling, now),
      acknowledgedAt,
      isQuiet: (name: string, at: number) => (at === now ? quiet.has(name) : calendar.isQuiet(name, at)),
      isElsewhere: (scenario: ScenarioRef) => this.book.isOpen(scenario),
      isMonitored,
      failures: (scenario: ScenarioRef) => this.book.hitsFrom(scenario, now - FLAPPING_MS),
      concernsFrom: (hit: Flip) => routedFrom(routes, channel, hit, tagsOf, acknowledgedAt),
    };
    return { incident, channel, before, outcome: dueNotice(incident, before, moment, rule) };
  }

  #write({ incident, channel, before, outcome: { notice, told } }: Compared, now: number): void {
    const { pageUrl, runbookUrl } = this.#options;
    const { db } = this.#known;
    const of = { incident: incident.id, channel };
    if (notice) {
      const body = composeNotice(incident, notice, { instance: db.instance, pageUrl: pageUrl(), runbookUrl, now });
      addNotice(db, { ...of, kind: notice.kind, body: JSON.stringify(body) }, now);
    }
    saveTold(db, of, before.hits, told);
    const last = notice ? { kind: notice.kind, at: now } : before.last;
    this.#told.set(toldKey(of), { hits: told, ...(last ? { last } : {}) });
    this.#changed(incident);
  }

  /** What the channels know of an incident. */
  #toldOf(incident: number): Told[] {
    return this.#options.channels.map((channel) => this.#told.get(toldKey({ incident, channel })) ?? nothing);
  }
}
