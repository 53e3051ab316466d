import type { Environment } from '../../config/index.ts';
import { composeNotice } from '../alerting/compose-notice.ts';
import { type Routes, routedFrom, type TagsOf } from '../alerting/routes.ts';
import type { HistoryDatabase } from '../history/database.ts';
import { addNotice, saveTold, toldKey, toldSoFar } from '../history/outbox.ts';
import { FLAPPING_MS, type Moment } from '../status/compared.ts';
import { dueNotice, isTelling, type NotificationPolicy, type Outcome, type Told } from '../status/due-notice.ts';
import type { Flip, ScenarioRef } from '../status/flip.ts';
import { isMutedAt } from '../status/handling.ts';
import type { Incident } from '../status/incident.ts';
import type { IncidentBook } from '../status/incident-book.ts';
import type { FlipRule } from '../status/status.ts';
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

/** What is true, to be compared with what the channels know. */
export interface NoticeSources {
  readonly db: HistoryDatabase;
  readonly book: IncidentBook;
  readonly calendar: Calendar;
  readonly isMonitored: (scenario: ScenarioRef) => boolean;
}

const nothing: Told = { hits: new Set() };

interface Unsettled {
  readonly incident: Incident;
  /** When it was last compared with what the channels know; epoch, in ms. */
  comparedAt: number;
  /** When something may be due, unless something happens; epoch, in ms. */
  askAt: number;
}

/** All of a large incident is looked at with each comparison: once in a while, and not with each of thousands of changes. */
const LARGE = 100;
const PATIENCE_MS = 5_000;

function soonestOf({ incident, comparedAt }: Pick<Unsettled, 'incident' | 'comparedAt'>): number {
  return incident.hits.length < LARGE ? Number.NEGATIVE_INFINITY : comparedAt + PATIENCE_MS;
}

interface Due {
  readonly incident: Incident;
  readonly channel: string;
  readonly before: Told;
  readonly outcome: Outcome;
}

/** Writes into the outbox what the channels don't know yet, when it is due. */
export class NoticeWriter {
  readonly #options: RecorderOptions;
  readonly #known: NoticeSources;
  readonly #told: Map<string, Told>;
  /** Incidents that are open, or that a channel believes to be. */
  readonly #unsettled = new Map<number, Unsettled>();
  #last = { now: 0, kept: '' };

  constructor(options: RecorderOptions, known: NoticeSources) {
    this.#options = options;
    this.#known = known;
    this.#told = toldSoFar(known.db);
    for (const incident of known.book.all) this.changed(incident);
  }

  /** Whether a channel was told of one of these flips into an incident, and nothing since. */
  isBelieved(incident: number, hits: readonly Flip[]): boolean {
    return this.#options.channels.some((channel) => {
      const told = this.#toldTo(incident, channel);
      return isTelling(told) && hits.some(({ id }) => told.hits.has(id));
    });
  }

  changed(incident: Incident): void {
    const { id, until } = incident;
    if (until !== undefined && !this.#options.channels.some((channel) => isTelling(this.#toldTo(id, channel))))
      this.#unsettled.delete(id);
    else {
      const { comparedAt = Number.NEGATIVE_INFINITY, askAt = comparedAt } = this.#unsettled.get(id) ?? {};
      this.#unsettled.set(id, { incident, comparedAt, askAt: Math.min(askAt, soonestOf({ incident, comparedAt })) });
    }
  }

  /** What is due, to be written within a transaction. */
  due(now: number): (() => void)[] {
    if (this.#unsettled.size === 0) return [];
    this.#lookAgainIfChanged(now);
    return [...this.#unsettled.values()].flatMap((each) => {
      if (now < each.askAt) return [];
      each.comparedAt = now;
      const found = this.#options.channels.map((channel) => this.#ofChannel(each.incident, channel, now));
      const changes = found.filter(({ before, outcome }) => outcome.notice || outcome.told.size !== before.hits.size);
      const { mutedUntil = 0 } = each.incident.handling;
      const times = [...found.map(({ outcome }) => outcome.askAgainAt), ...(mutedUntil > now ? [mutedUntil] : [])];
      // What is written down is a change.
      each.askAt = changes.length === 0 ? Math.max(soonestOf(each), Math.min(...times)) : Number.POSITIVE_INFINITY;
      return changes.map((one) => () => this.#write(one, now));
    });
  }

  #write({ incident, channel, before, outcome: { notice, told } }: Due, now: number): void {
    const { pageUrl, runbookUrl } = this.#options;
    const { db } = this.#known;
    const { id } = incident;
    if (notice) {
      const body = composeNotice(incident, notice, { instance: db.instance, pageUrl: pageUrl(), runbookUrl, now });
      addNotice(db, { incident: id, channel, kind: notice.kind, body: JSON.stringify(body) }, now);
    }
    saveTold(db, { incident: id, channel }, before.hits, told);
    const last = notice ? { kind: notice.kind, at: now } : before.last;
    this.#told.set(toldKey({ incident: id, channel }), { hits: told, ...(last ? { last } : {}) });
    this.changed(incident);
  }

  /** Maintenance or a pause began or ended, or the calendar was set back. */
  #lookAgainIfChanged(now: number): void {
    const { calendar } = this.#known;
    const kept = [...calendar.quietAt(now), ...calendar.inForce(now).map(({ id }) => id)].join('\n');
    if (kept !== this.#last.kept || now < this.#last.now)
      for (const each of this.#unsettled.values()) each.askAt = Number.NEGATIVE_INFINITY;
    this.#last = { now, kept };
  }

  #ofChannel(incident: Incident, channel: string, now: number): Due {
    const { rule, routes, tagsOf } = this.#options;
    const { calendar, book, isMonitored } = this.#known;
    const acknowledgedAt = incident.handling.acknowledged?.at;
    const before = this.#toldTo(incident.id, channel);
    const moment: Moment = {
      now,
      isMuted: isMutedAt(incident.handling, now),
      acknowledgedAt,
      isQuiet: (environment, at) => calendar.isQuiet(environment, at),
      isPaused: ({ scenario, area }) => calendar.isPaused(scenario.environment, area, now),
      isElsewhere: (scenario) => book.isOpen(scenario),
      isMonitored,
      failures: (scenario) => book.hitsFrom(scenario, now - FLAPPING_MS),
      concernsFrom: (hit) => routedFrom(routes, channel, hit, tagsOf, acknowledgedAt),
    };
    return { incident, channel, before, outcome: dueNotice(incident, before, moment, rule) };
  }

  #toldTo(incident: number, channel: string): Told {
    return this.#told.get(toldKey({ incident, channel })) ?? nothing;
  }
}
