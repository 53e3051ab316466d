import { definedFields, type Environment } from '../../environment/index.ts';
import { composeNotice } from '../alerting/notice.ts';
import { type NoticeRoute, noticeRoutes, type Routes, type TagsOf } from '../alerting/routes.ts';
import { HistoryDatabase } from '../history/database.ts';
import { addFlip, addIncidentEvent, flips, incidentEvents } from '../history/incidents.ts';
import { addNotice, notifiedSoFar, saveNotified } from '../history/outbox.ts';
import { addToRollups } from '../history/rollups.ts';
import { addRun, newestRun, noteGap, pruneSome } from '../history/runs.ts';
import {
  type Described,
  enterScenario,
  type KnownScenario,
  knownScenarios,
  ScenarioMemory,
  saveStanding,
} from '../history/scenarios.ts';
import { causeOf } from '../status/cause.ts';
import { dueNotice, FLAPPING_MS, type NotificationPolicy, notifiedAfter } from '../status/due-notice.ts';
import type { Flip, ScenarioRef } from '../status/flip.ts';
import { type Incident, IncidentBook, type IncidentEvent } from '../status/incident.ts';
import {
  evidenceOf,
  type FlipRule,
  healthOfRun,
  isBadStatus,
  judgeRun,
  type Look,
  notifiedStatus,
  ruleFor,
  statusOf,
  unseen,
} from '../status/status.ts';
import { Calendar } from './calendar.ts';
import { countsOf, type FinishedRun, flipEvidence, latencyOf, retiredFlip, runRow } from './run-rows.ts';

export interface RecorderOptions {
  readonly file: string;
  readonly environments: readonly Environment[];
  readonly rule: FlipRule & NotificationPolicy;
  /**
   * How often most scenarios run, in ms. If the last judged run of a scenario is much older than that, nobody knows when a failure began or
   * ended exactly, so its duration is only an upper limit.
   */
  readonly everyMs: number;
  readonly channels: readonly string[];
  readonly routes: Routes;
  readonly tagsOf: TagsOf;
  readonly pageUrl: () => string;
  readonly runbookUrl?: string | undefined;
  /** How long runs that passed are stored, in ms. All other runs are stored for 400 days. */
  readonly keepRunsMs: number;
  /** The clock for computing durations, in ms; nobody can set this clock. Default: the wall clock. */
  readonly steady?: () => number;
}

/** A run is late if the time since the last judged run is longer than `LATE` intervals plus `LATE_MS`, which is enough for a slow run. */
const LATE = 1.5;
const LATE_MS = 30_000;

/**
 * How long to collect further scenarios for one notice, in intervals: one interval, in which each scenario runs once, and a quarter to
 * confirm a failure at its end.
 */
const GATHER_INTERVALS = 1.25;

/** If the newest run in the history is older than this, in ms, either the monitor was off for long, or the wall clock is ahead. */
const NEWEST_MS = 7 * 86_400_000;

/** Records runs and their consequences: changes of status, incidents, people's actions on incidents, and notices that are due. */
export class RunRecorder {
  readonly db: HistoryDatabase;
  /** All scenarios of the history with their current state, including those that are no longer monitored. */
  readonly scenarios = new ScenarioMemory();
  readonly calendar: Calendar;
  readonly incidents = new IncidentBook();
  /** How many runs could not be written. */
  lost = 0;
  readonly #options: RecorderOptions;
  readonly #routes: readonly NoticeRoute[];
  readonly #policy: NotificationPolicy;
  /** By how much the wall clock may be ahead, in ms: the time by which the newest run in the history is older than NEWEST_MS. */
  #aheadMs = 0;

  constructor(options: RecorderOptions) {
    this.#options = options;
    this.#routes = noticeRoutes(options.channels, options.routes, options.tagsOf);
    const { gatherMs, remindAfterMs } = options.rule;
    // All scenarios that fail for one cause do so within one interval. If the wait is at least this long, the notice after the first one
    // can name all of them.
    this.#policy = { remindAfterMs, gatherMs: gatherMs && Math.max(gatherMs, GATHER_INTERVALS * options.everyMs) };
    this.db = new HistoryDatabase(options.file);
    this.calendar = new Calendar(this.db, options.environments);
    for (const known of knownScenarios(this.db)) this.scenarios.set(known);
    for (const flip of flips(this.db)) this.incidents.add(flip);
    const isThere = (route: string) => this.#routes.some(({ name }) => name === route);
    for (const { incident, route, notified } of notifiedSoFar(this.db))
      if (isThere(route)) this.incidents.get(incident)?.notified.set(route, notified);
    for (const event of incidentEvents(this.db)) this.incidents.get(event.incident)?.handle(event);
  }

  /** The current time on the monotonic clock, in ms; `at` if there is no such clock. */
  steady(at: number): number {
    return this.#options.steady?.() ?? at;
  }

  /** Sets which scenarios are monitored, and adds new ones to the history. All other scenarios leave their incidents. */
  enterAll(all: readonly Described[], now: number): void {
    // The wall clock may be years ahead, because of an empty battery or a mistake. Even then, pruning must not delete the whole history.
    this.#aheadMs = Math.max(0, this.steady(now) - (newestRun(this.db) ?? now) - NEWEST_MS);
    const left = this.db.transaction(() => {
      this.calendar.begin(now);
      for (const described of all) this.scenarios.monitor(enterScenario(this.db, described, now));
      const gone = [...this.scenarios.all].filter((known) => !this.scenarios.isMonitored(known));
      const bad = gone.filter(({ standing }) => isBadStatus(notifiedStatus(standing)));
      for (const { id } of bad) saveStanding(this.db, id, unseen, undefined);
      return bad.map((known) => this.#addFlip(known, retiredFlip(known, now, this.steady(now))));
    });
    for (const flip of left) {
      this.scenarios.set({ ...this.scenarios.get(flip.scenario), standing: unseen });
      this.incidents.add(flip);
    }
  }

  /** Records a run; returns the change of status that it caused, if any. */
  record(run: FinishedRun, now: number): Flip | undefined {
    try {
      const { known, flip } = this.db.transaction(() => this.#write(run, now));
      this.scenarios.set(known);
      if (flip) this.incidents.add(flip);
      return flip;
    } catch (error) {
      this.lost++;
      throw error;
    }
  }

  /**
   * Records the maintenance windows that are open, and writes the notices that are due. The monitor calls this function every second, so
   * scenarios that go down within the same second share a notice.
   */
  pass(now: number): void {
    this.calendar.open(now);
    const quiet = this.calendar.at(now);
    const updates = this.db.transaction(() =>
      this.incidents.unsettled.flatMap((incident) => this.#notify(incident, quiet, now)),
    );
    for (const { incident, route, notified } of updates) incident.notified.set(route, notified);
  }

  /** Records a person's action on an incident. An acknowledgement covers every scenario that has joined the incident so far. */
  handle(id: number, event: IncidentEvent): void {
    const hit = event.kind === 'acknowledged' ? this.incidents.get(id)?.last : undefined;
    const noted = { ...event, ...definedFields({ hit }) };
    addIncidentEvent(this.db, id, noted);
    this.incidents.get(id)?.handle(noted);
  }

  close(): void {
    this.db.close();
  }

  #write({ environment, observed, planned, intervalMs, steady }: FinishedRun, at: number) {
    const { first, second } = observed;
    const last = second ?? first;
    const knownScenario = this.scenarios.get({ environment: environment.name, title: first.title });
    const look = this.#lookOf(knownScenario, first.startedAt, steady);
    const rule = ruleFor(this.#options.rule, intervalMs);
    const evidence = evidenceOf(first, second);
    const { standing, change } = judgeRun(knownScenario.standing, evidence, look, rule);
    const health = healthOfRun(evidence, standing);
    const isJudged = health !== 'unknown';
    const row = runRow(observed, health, planned);
    addRun(this.db, knownScenario.id, row);
    const counts = countsOf(observed, health, standing);
    addToRollups(this.db, knownScenario.id, first.startedAt, counts, latencyOf(observed, row));
    if (isJudged) noteGap(this.db, knownScenario, first.startedAt, intervalMs);
    saveStanding(this.db, knownScenario.id, standing, isJudged ? first.startedAt : undefined);
    pruneSome(this.db, this.steady(at) - this.#aheadMs, this.#options.keepRunsMs);
    const judged = { ...knownScenario, standing, ...(isJudged ? { lastJudged: first.startedAt } : {}) };
    if (!change) return { known: judged };
    const cause = causeOf(last, environment, observed.alike);
    const flip = this.#addFlip(knownScenario, { ...change, ...flipEvidence(last, knownScenario, row), cause, at });
    return { known: judged, flip };
  }

  /** The time of a run, and whether the run was late. */
  #lookOf({ standing: { seen } }: KnownScenario, at: number, steady = at): Look {
    const isLate = seen === undefined || steady - seen > LATE * this.#options.everyMs + LATE_MS;
    return { at, steady, ...(isLate ? { isAtMost: true } : {}) };
  }

  /** Records a change of status, with the incident that it opens or joins. */
  #addFlip({ id, environment, title, area }: KnownScenario, change: Omit<Flip, 'id' | 'scenario' | 'area'>): Flip {
    const flip = { ...change, scenario: { environment, title }, area };
    const incident = isBadStatus(flip.to) ? this.incidents.joinedBy(flip)?.id : undefined;
    return addFlip(this.db, id, { ...flip, ...definedFields({ incident }) });
  }

  /** Writes the notices about an incident that are due. Returns the updated record of notices for each route that gets a notice. */
  #notify(incident: Incident, quiet: ReadonlyMap<string, unknown>, at: number) {
    const { id, acknowledged } = incident;
    const now = this.steady(at);
    const moment = {
      now,
      acknowledged: acknowledged?.hit ?? 0,
      isQuiet: (name: string) => quiet.has(name),
      isMonitored: (scenario: ScenarioRef) => this.scenarios.isMonitored(scenario),
      isUp: (scenario: ScenarioRef) => ['up', 'degraded'].includes(statusOf(this.scenarios.get(scenario).standing)),
    };
    return this.#routes.flatMap(({ name: route, channels, concerns }) => {
      const members = incident.members.filter(({ hit }) => concerns(hit));
      const before = incident.notified.get(route);
      const recoveries = () => this.incidents.recoveriesFrom(incident, route, now - FLAPPING_MS);
      const due = dueNotice(members, before, { ...moment, recoveries }, this.#policy);
      if (!due) return [];
      const { pageUrl, runbookUrl } = this.#options;
      const { allOpen } = this.incidents;
      const context = { allOpen, instance: this.db.instance, pageUrl: pageUrl(), runbookUrl, now: at, steady: now };
      const body = JSON.stringify(composeNotice(incident, due, context));
      for (const channel of channels) addNotice(this.db, { incident: id, channel, kind: due.kind, body }, at);
      const notified = notifiedAfter(before, due, incident.last, now);
      saveNotified(this.db, id, route, notified);
      return [{ incident, route, notified }];
    });
  }
}
