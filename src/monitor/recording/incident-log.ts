import { type Environment, present } from '../../config/index.ts';
import { composeNotice } from '../alerting/notice.ts';
import { isRouted, type Routes, type TagsOf } from '../alerting/routes.ts';
import type { HistoryDatabase } from '../history/database.ts';
import { addFlip, addIncidentEvent, flips, incidentEvents } from '../history/incidents.ts';
import { addNotice, saveTold, toldSoFar } from '../history/outbox.ts';
import { dueNotice, FLAPPING_MS, type Moment, type NotificationPolicy, type Outcome } from '../status/due-notice.ts';
import { type Cause, type Flip, familyOf, type ScenarioRef } from '../status/flip.ts';
import { afterEvent, type IncidentEvent, isMutedAt } from '../status/handling.ts';
import type { Incident } from '../status/incident.ts';
import { IncidentBook, joinedIncident } from '../status/incident-book.ts';
import { type FlipRule, isBadStatus } from '../status/status.ts';
import type { Told } from '../status/told.ts';
import type { Calendar } from './calendar.ts';

export interface RecorderOptions {
  readonly file: string;
  readonly environments: readonly Environment[];
  readonly rule: FlipRule & NotificationPolicy;
  /** Failures with one cause are noticed within an interval and this, in ms. */
  readonly confirmAfterMs: number;
  readonly channels: readonly string[];
  readonly routes: Routes;
  readonly tagsOf: TagsOf;
  readonly pageUrl: () => string;
  readonly runbookUrl?: string | undefined;
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

/** Incidents in memory, as the history has them: flips make them, people handle them, and notices say what the channels don't know yet. */
export class IncidentLog {
  readonly book = new IncidentBook();
  readonly #options: RecorderOptions;
  readonly #db: HistoryDatabase;
  readonly #calendar: Calendar;
  readonly #isMonitored: (scenario: ScenarioRef) => boolean;
  /** Incidents that are open, or that a channel believes to be. */
  readonly #unsettled = new Map<number, Unsettled>();

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
    for (const flip of flips(db)) this.book.add(flip);
    for (const { incident, channel, ...told } of toldSoFar(db))
      if (options.channels.includes(channel)) this.book.get(incident)?.told.set(channel, told);
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
  addFlip(scenario: number, flip: Omit<Flip, 'id'>, intervalMs: number): Flip {
    const rule = {
      withinMs: intervalMs + this.#options.confirmAfterMs,
      isMuted: ({ handling }: Incident) => isMutedAt(handling, flip.at),
      isMaintenance: (name: string) => this.#calendar.isQuiet(name, flip.at),
    };
    const joined = isBadStatus(flip.to) ? joinedIncident(flip, this.book, rule) : undefined;
    const cause = this.#withoutKnown(flip.cause, joined);
    const added = addFlip(this.#db, scenario, { ...flip, cause, ...(joined ? { incident: joined.id } : {}) });
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
    const quiet = open.length > 0 ? this.#calendar.quietAt(now) : new Set<string>();
    return open.flatMap((one) => {
      Object.assign(one, { comparedAt: now, isChanged: false });
      return this.#options.channels.flatMap((channel) => {
        const before = one.incident.told.get(channel) ?? nothing;
        const outcome = dueNotice(
          one.incident,
          before,
          this.#moment(one.incident, channel, now, quiet),
          this.#options.rule,
        );
        const isNew = outcome.notice || outcome.told.size !== before.hits.size;
        return isNew ? [() => this.#write(one.incident, channel, before, outcome, now)] : [];
      });
    });
  }

  #changed(incident: Incident): void {
    const { id, until } = incident;
    if (until !== undefined && !incident.isTold) this.#unsettled.delete(id);
    else {
      const { comparedAt = Number.NEGATIVE_INFINITY } = this.#unsettled.get(id) ?? {};
      this.#unsettled.set(id, { incident, comparedAt, isChanged: true });
    }
  }

  /** Since when what fails is unacknowledged, epoch in ms: where it flaps, since before the recoveries that nobody was told of. */
  #waitingSince(incident: Incident, { scenario, at }: Flip, acknowledged: number): number {
    const [, hits = []] = this.book.of(scenario).find(([one]) => one === incident) ?? [];
    const first = incident.believed(hits).find(({ id }) => id > acknowledged);
    return Math.min(at, first?.at ?? at);
  }

  #moment(incident: Incident, channel: string, now: number, quiet: ReadonlySet<string>): Moment {
    const { routes, tagsOf } = this.#options;
    const { handling } = incident;
    const isEscalated = routes.afterMs?.has(channel);
    const acknowledged = handling.acknowledged?.hit ?? 0;
    return {
      now,
      isMuted: isMutedAt(handling, now),
      acknowledged,
      isQuiet: (name, at) => (at === now ? quiet.has(name) : this.#calendar.isQuiet(name, at)),
      isElsewhere: (scenario) => this.book.isOpen(scenario),
      isMonitored: this.#isMonitored,
      isBelievedDown: (scenario) =>
        this.book.of(scenario).some(([{ cause, told }, hits]) => {
          return familyOf(cause) === 'down' && hits.some(({ id }) => told.get(channel)?.hits.has(id));
        }),
      recentHits: (scenario) => this.book.hitsFrom(scenario, now - FLAPPING_MS),
      concerns: (hit) => {
        const failed = isEscalated ? { ...hit, at: this.#waitingSince(incident, hit, acknowledged) } : hit;
        return isRouted(routes, channel, failed, tagsOf, acknowledged, now);
      },
    };
  }

  #write(incident: Incident, channel: string, before: Told, { notice, told }: Outcome, now: number): void {
    const { pageUrl, runbookUrl } = this.#options;
    const { instance } = this.#db;
    if (notice) {
      const body = composeNotice(incident, notice, { instance, pageUrl: pageUrl(), runbookUrl, now });
      const row = { incident: incident.id, channel, kind: notice.kind, body: JSON.stringify(body) };
      addNotice(this.#db, row, now);
    }
    saveTold(this.#db, incident.id, channel, before.hits, told);
    const last = notice ? { kind: notice.kind, at: now } : before.last;
    incident.told.set(channel, { hits: told, ...(last ? { last } : {}) });
    this.#changed(incident);
  }
}
