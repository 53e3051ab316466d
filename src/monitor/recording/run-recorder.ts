import type { Environment } from '../../config/index.ts';
import type { Routes, TagsOf } from '../alerting/routes.ts';
import { HistoryDatabase } from '../history/database.ts';
import { pruneNotices } from '../history/outbox.ts';
import { addToRollups } from '../history/rollups.ts';
import { addFailure, addRun, noteGap, pruneSome } from '../history/runs.ts';
import {
  type Described,
  enterScenario,
  type KnownScenario,
  knownScenarios,
  saveStanding,
} from '../history/scenarios.ts';
import { causeOf, type ProbeResult } from '../status/cause.ts';
import type { NotificationPolicy } from '../status/due-notice.ts';
import type { Flip, ScenarioRef } from '../status/flip.ts';
import type { Handling, IncidentEvent } from '../status/handling.ts';
import type { Incident } from '../status/incident.ts';
import { evidenceOf, healthOfRun } from '../status/run-health.ts';
import { type FlipRule, isBadStatus, judgeRun, ruleFor, statusOf, unseen } from '../status/status.ts';
import { Calendar } from './calendar.ts';
import { IncidentLog } from './incident-log.ts';
import { countsOf, type FinishedRun, failureRow, flipEvidence, measuredOf, retiredFlip, runRow } from './run-rows.ts';
import { ScenarioMemory } from './scenario-memory.ts';

export interface RunRecorderOptions {
  readonly file: string;
  readonly environments: readonly Environment[];
  readonly rule: FlipRule & NotificationPolicy;
  /** Failures with one cause are noticed within an interval and this, in ms; default: 10 s. */
  readonly confirmAfterMs?: number;
  /** How long raw runs are kept, in ms; default: 30 days. */
  readonly keepRunsMs?: number;
  /** Names of the channels to write notices for. */
  readonly channels: readonly string[];
  readonly routes?: Routes;
  /** Default: a scenario has no tags. */
  readonly tagsOf?: TagsOf;
  readonly pageUrl: () => string;
  readonly runbookUrl?: string;
}

/**
 * Records runs and what follows from them: statuses, incidents, notices. Each run with all its
 * consequences is one transaction; memory changes only after it.
 */
export class RunRecorder {
  readonly db: HistoryDatabase;
  readonly #options: RunRecorderOptions;
  calendar: Calendar;
  readonly #scenarios = new ScenarioMemory();
  #incidents: IncidentLog;
  #flips = 0;

  constructor(options: RunRecorderOptions) {
    this.#options = options;
    this.db = new HistoryDatabase(options.file);
    this.calendar = new Calendar(this.db, options.environments);
    this.#incidents = this.#reload();
  }

  /** The monitored scenarios; the file may contain others, of other environments or with earlier titles. */
  get scenarios(): readonly KnownScenario[] {
    return this.#scenarios.monitored;
  }

  get incidents(): Incident[] {
    return this.#incidents.all;
  }

  /** One incident, and where it stands with the people on call. */
  incident(id: number): { readonly incident: Incident; readonly handling: Handling } | undefined {
    const incident = this.#incidents.get(id);
    return incident && { incident, handling: this.#incidents.handling(id) };
  }

  get openIncidents(): Incident[] {
    return this.#incidents.open;
  }

  /** Records what somebody did about an incident. */
  handle(id: number, event: IncidentEvent): void {
    this.#commit(() => this.#incidents.handle(id, event));
  }

  /** Adds a scenario, or returns it with its current standing. */
  enter(described: Described, now: number): KnownScenario {
    return this.enterAll([described], now)[0] as KnownScenario;
  }

  /** In one transaction: each would wait for the disk. */
  enterAll(all: readonly Described[], now: number): KnownScenario[] {
    const found = this.db.transaction(() => all.map((described) => enterScenario(this.db, described, now)));
    for (const known of found) this.#scenarios.monitor(known);
    return found;
  }

  /** What is renamed, no longer chosen or allowed leaves its incident; to be called once all others have been entered. */
  retireOthers(now: number): void {
    const isRetired = (one: KnownScenario) => !this.#scenarios.isMonitored(one) && isBadStatus(statusOf(one.standing));
    const retired = [...this.#scenarios.all].filter(isRetired);
    if (retired.length > 0) this.#commit(() => retired.map((known) => this.#retire(known, now)));
  }

  /** The number of a scenario in the history, of those that run no more too. */
  idOf(scenario: ScenarioRef): number | undefined {
    return this.#scenarios.find(scenario)?.id;
  }

  /** A monitored scenario as it stands now. */
  scenario(ref: ScenarioRef): KnownScenario {
    return this.#scenarios.get(ref);
  }

  /** The monitored scenarios of one environment. */
  scenariosIn(environment: string): readonly KnownScenario[] {
    return this.#scenarios.monitoredIn(environment);
  }

  /** Changes with every record of a scenario, so that caches know when they are stale. */
  version(known: Pick<KnownScenario, 'id'>): number {
    return this.#scenarios.version(known);
  }

  /** Changes with every record of one of its scenarios. */
  environmentVersion(environment: string): number {
    return this.#scenarios.environmentVersion(environment);
  }

  /** Grows with every flip: a page that was drawn before is out of date. */
  get flips(): number {
    return this.#flips;
  }

  /** Records one run; `planned` and `at` are epochs, in ms. Returns the flip that it caused, if any. */
  record(
    environment: Environment,
    observed: ProbeResult,
    planned: number,
    intervalMs: number,
    at: number,
  ): Flip | undefined {
    return this.recordAll([{ environment, observed, planned, intervalMs, at }])[0];
  }

  /** Records several runs in one transaction: all, or none. */
  recordAll(runs: readonly FinishedRun[]): (Flip | undefined)[] {
    return this.#commit(() => {
      const flips = runs.map((run) => this.#record(run));
      for (const write of this.#incidents.dueNotices(Math.max(...runs.map(({ at }) => at)))) write();
      return flips;
    });
  }

  /** Records planned runs that didn't take place. */
  drop(scenario: ScenarioRef, counts: { skipped: number; missed: number }, now: number): void {
    this.#commit(() => {
      const known = this.#scenarios.get(scenario);
      this.#scenarios.changed(known);
      addToRollups(this.db, known.id, now, counts);
    });
  }

  /** Writes notices that become due without a run: reminders, and alerts at the end of a maintenance window. */
  notifyDue(now: number): void {
    const due = this.#incidents.dueNotices(now);
    if (due.length > 0) this.#commit(() => due.map((write) => write()));
  }

  /** Records the maintenance windows that are open now, so that later settings don't rewrite the past. */
  noteMaintenance(now: number): void {
    if (this.calendar.quietAt(now).size > 0) this.#commit(() => this.calendar.note(now));
  }

  /** Changes what is announced. */
  announce<T>(work: (calendar: Calendar) => T): T {
    return this.#commit(() => work(this.calendar));
  }

  /** Deletes what has expired, a little in each step. */
  *pruning(now: number): Generator<void> {
    for (const { id } of [...this.#scenarios.all])
      do yield;
      while (this.#commit(() => pruneSome(this.db, id, now, this.#options.keepRunsMs)));
    this.#commit(() => pruneNotices(this.db, now));
  }

  close(): void {
    this.db.close();
  }

  #record({ environment, observed, planned, intervalMs, at: now }: FinishedRun): Flip | undefined {
    const { first, second } = observed;
    const known = this.#scenarios.get({ environment: environment.name, title: first.title });
    const rule = ruleFor(this.#options.rule, intervalMs);
    const { standing, change } = judgeRun(known.standing, evidenceOf(first, second), first.startedAt, rule);
    const [isJudged, last] = [healthOfRun(first, second) !== 'unknown', second ?? first];
    this.#scenarios.changed(known);
    const row = runRow(observed, planned);
    const failure = failureRow(observed, addRun(this.db, known.id, row));
    if (failure) addFailure(this.db, known.id, failure);
    addToRollups(this.db, known.id, first.startedAt, countsOf(observed), measuredOf(observed, row));
    if (isJudged) noteGap(this.db, known, first.startedAt, intervalMs);
    saveStanding(this.db, known.id, standing, isJudged ? first.startedAt : undefined);
    const flip =
      change &&
      this.#incidents.addFlip(
        known.id,
        {
          ...change,
          ...flipEvidence(last, failure),
          scenario: { environment: known.environment, title: known.title },
          area: known.area,
          at: now,
          cause: causeOf(last, environment, observed.alike),
        },
        intervalMs,
      );
    this.#scenarios.set({ ...known, standing, ...(isJudged ? { lastJudged: first.startedAt } : {}) });
    if (flip) this.#flips++;
    return flip;
  }

  #retire(known: KnownScenario, now: number): void {
    this.#incidents.addFlip(known.id, retiredFlip(known, now), 0);
    saveStanding(this.db, known.id, unseen, undefined);
    this.#scenarios.set({ ...known, standing: unseen });
    this.#flips++;
  }

  #commit<T>(work: () => T): T {
    try {
      return this.db.transaction(work);
    } catch (error) {
      this.#incidents = this.#reload();
      throw error;
    }
  }

  /** Restores memory from the file. */
  #reload(): IncidentLog {
    for (const known of knownScenarios(this.db)) this.#scenarios.set(known);
    this.calendar = new Calendar(this.db, this.#options.environments);
    const { db, calendar } = this;
    const isMonitored = (ref: ScenarioRef) => this.#scenarios.isMonitored(ref);
    return new IncidentLog({ confirmAfterMs: 10_000, tagsOf: () => [], ...this.#options, db, calendar, isMonitored });
  }
}
