import type { HistoryDatabase } from '../history/database.ts';
import { addNotice, saveTold, toldSoFar } from '../history/outbox.ts';
import type { Moment } from '../status/compared.ts';
import { dueNotice, isLast, type NotificationPolicy, type Outcome, type Told } from '../status/due-notice.ts';
import type { Flip, ScenarioRef } from '../status/flip.ts';
import { type Handling, isMutedAt } from '../status/handling.ts';
import type { Incident } from '../status/incident.ts';
import { composeNotice } from './compose-notice.ts';
import { type Routes, routedFrom, type TagsOf } from './routes.ts';

export interface NoticeWriterOptions extends Pick<Moment, 'isQuiet' | 'isElsewhere' | 'isMonitored'> {
  readonly db: HistoryDatabase;
  readonly rule: NotificationPolicy;
  /** Names of the channels to write notices for. */
  readonly channels: readonly string[];
  /** Which failures a channel is to hear of, and when; default: of all, at once. */
  readonly routes?: Routes;
  readonly tagsOf: TagsOf;
  readonly pageUrl: () => string;
  readonly runbookUrl?: string;
  readonly handling: (incident: number) => Handling;
  /** How often a scenario failed of late; `now` is an epoch, in ms. */
  readonly failures: (scenario: ScenarioRef, now: number) => number;
  /** Names of the environments in maintenance. */
  readonly quietAt: (now: number) => ReadonlySet<string>;
  /** Names of the environments, and areas behind them, that are paused. */
  readonly pausedAt: (now: number) => ReadonlySet<string>;
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
  readonly #options: NoticeWriterOptions;
  readonly #told: Map<number, Map<string, Told>>;
  /** Incidents that are open, or that a channel believes to be. */
  readonly #unsettled = new Map<number, Unsettled>();
  #last = { now: 0, quiet: '' };

  constructor(options: NoticeWriterOptions, incidents: Iterable<Incident>) {
    this.#options = options;
    this.#told = toldSoFar(options.db);
    for (const incident of incidents) this.changed(incident);
  }

  /** Whether a channel was told of one of these flips into an incident, and nothing since. */
  isBelieved(incident: number, hits: readonly number[]): boolean {
    return this.#options.channels.some((channel) => {
      const told = this.#toldTo(incident, channel);
      return isTelling(told) && hits.some((hit) => told.hits.has(hit));
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
    return this.#due(now).map((one) => () => this.#write(one, now));
  }

  #write({ incident, channel, before, outcome: { notice, told } }: Due, now: number): void {
    const { db, pageUrl, runbookUrl } = this.#options;
    const { id } = incident;
    if (notice) {
      const body = composeNotice(incident, notice, {
        instance: db.instance,
        pageUrl: pageUrl(),
        ...(runbookUrl ? { runbookUrl } : {}),
        now,
      });
      addNotice(db, { incident: id, channel, kind: notice.kind, body: JSON.stringify(body) }, now);
    }
    saveTold(db, { incident: id, channel }, before.hits, told);
    const last = notice ? { kind: notice.kind, at: now } : before.last;
    const known = this.#told.get(id) ?? new Map<string, Told>();
    this.#told.set(id, known.set(channel, { hits: told, ...(last ? { last } : {}) }));
    this.changed(incident);
  }

  #due(now: number): Due[] {
    if (this.#unsettled.size === 0) return [];
    const { channels, quietAt, pausedAt } = this.#options;
    const [quiet, paused] = [quietAt(now), pausedAt(now)];
    this.#lookAgainIfChanged(now, [...quiet, '', ...paused].join('\n'));
    const due: Due[] = [];
    for (const each of this.#unsettled.values()) {
      if (now < each.askAt) continue;
      each.comparedAt = now;
      const moment = this.#moment(each.incident, now, quiet, paused);
      const found = channels.map((channel) => this.#ofChannel(each.incident, channel, moment));
      const changes = found.filter(({ before, outcome }) => outcome.notice || outcome.told.size !== before.hits.size);
      due.push(...changes);
      const { mutedUntil = 0 } = this.#options.handling(each.incident.id);
      const times = [...found.map(({ outcome }) => outcome.askAgainAt), ...(mutedUntil > now ? [mutedUntil] : [])];
      // What is written down is a change.
      each.askAt = changes.length === 0 ? Math.max(soonestOf(each), Math.min(...times)) : Number.POSITIVE_INFINITY;
    }
    return due;
  }

  /** Maintenance or a pause began or ended, or the calendar was set back. */
  #lookAgainIfChanged(now: number, quiet: string): void {
    if (quiet !== this.#last.quiet || now < this.#last.now)
      for (const each of this.#unsettled.values()) each.askAt = Number.NEGATIVE_INFINITY;
    this.#last = { now, quiet };
  }

  #moment(
    { id }: Incident,
    now: number,
    quiet: ReadonlySet<string>,
    paused: ReadonlySet<string>,
  ): Omit<Moment, 'concernsFrom'> {
    const { handling, failures, isElsewhere, isMonitored, isQuiet } = this.#options;
    const handled = handling(id);
    return {
      now,
      isMuted: isMutedAt(handled, now),
      ...(handled.acknowledged ? { acknowledgedAt: handled.acknowledged.at } : {}),
      isQuiet: (environment, at) => (at === now ? quiet.has(environment) : isQuiet(environment, at)),
      isPaused: ({ scenario, area }) =>
        paused.size > 0 && (paused.has(scenario.environment) || paused.has(`${scenario.environment} ${area}`)),
      isElsewhere,
      isMonitored,
      failures: (scenario) => failures(scenario, now),
    };
  }

  #ofChannel(incident: Incident, channel: string, moment: Omit<Moment, 'concernsFrom'>): Due {
    const { rule, routes, tagsOf } = this.#options;
    const before = this.#toldTo(incident.id, channel);
    const concernsFrom = (hit: Flip) => routedFrom(routes, channel, hit, tagsOf, moment.acknowledgedAt);
    const outcome = dueNotice(incident, before, { ...moment, concernsFrom }, rule);
    return { incident, channel, before, outcome };
  }

  #toldTo(incident: number, channel: string): Told {
    return this.#told.get(incident)?.get(channel) ?? nothing;
  }
}

function isTelling({ last }: Told): boolean {
  return last !== undefined && !isLast(last.kind);
}
