import { randomBytes } from 'node:crypto';
import { HistoryDatabase, isUnwritable } from '../history/database.ts';
import { pruneNotices } from '../history/outbox.ts';
import { addToRollups } from '../history/rollups.ts';
import { addFailure, addRun, newestRun, noteGap, pruneSome } from '../history/runs.ts';
import {
  type Described,
  enterScenario,
  type KnownScenario,
  knownScenarios,
  ScenarioMemory,
  saveStanding,
} from '../history/scenarios.ts';
import { causeOf } from '../status/cause.ts';
import { type Flip, type ScenarioRef, scenarioKey } from '../status/flip.ts';
import type { IncidentEvent } from '../status/handling.ts';
import type { IncidentBook } from '../status/incident.ts';
import {
  evidenceOf,
  healthOfRun,
  isBadStatus,
  judgeRun,
  type Look,
  ruleFor,
  type Standing,
  statusOf,
  unseen,
} from '../status/status.ts';
import { Calendar } from './calendar.ts';
import { IncidentLog, type Now, type RecorderOptions } from './incident-log.ts';
import {
  countsOf,
  type DroppedRuns,
  type FinishedRun,
  failureRow,
  flipEvidence,
  latencyOf,
  retiredFlip,
  runRow,
} from './run-rows.ts';

/** A look later than so many intervals, and so many ms for a slow run, comes late. */
const LATE = 1.5;
const LATE_MS = 30_000;

/** The newest run is not older than this, unless the monitor was off; in ms. */
const NEWEST_MS = 7 * 86_400_000;

/** After a write that failed for what is wrong with the whole file; in ms. */
const PAUSE_MS = 1_000;

/** Records runs and what follows from them. Each run with all its consequences is one transaction; memory changes only after it. */
export class RunRecorder {
  readonly db: HistoryDatabase;
  /** Scenarios as they stand now; the file may contain others than those that are monitored. */
  readonly scenarios = new ScenarioMemory();
  readonly #options: RecorderOptions;
  #memory: { readonly calendar: Calendar; readonly log: IncidentLog };
  /** Memory holds what could not be written, until the file can be read. */
  #isAhead = false;
  /** Why nothing could be written, and until when nothing else is tried. */
  #trouble: { readonly error: unknown; readonly until: number } | undefined;
  readonly #dropped = new Map<string, DroppedRuns>();
  /** Runs whose results are lost; and how many of them the history doesn't even count yet. */
  readonly lost = { runs: 0, uncounted: 0 };
  readonly #process = randomBytes(3).toString('hex');
  #changes = 0;

  constructor(options: RecorderOptions) {
    this.#options = options;
    this.db = new HistoryDatabase(options.file);
    this.#memory = this.#restored();
  }

  get calendar(): Calendar {
    return this.#memory.calendar;
  }

  get incidents(): IncidentBook {
    return this.#memory.log.book;
  }

  /** Now, by the calendar's time, `at`. */
  #moment(at: number): Now {
    return { at, steady: this.steady(at) };
  }

  /** The same moment by the clock that durations come from. */
  steady(at: number): number {
    return this.#options.steady?.() ?? at;
  }

  /** Another one after every change of a state, and after each start: a page that was drawn before is out of date. */
  get edition(): string {
    return `${this.#process}-${this.#changes}`;
  }

  /**
   * What is monitored from now on: finds scenarios as they stand, or adds them, and takes what is renamed, no longer chosen or not allowed out
   * of its incident. In one transaction, because each would wait for the disk.
   */
  enterAll(all: readonly Described[], now: number): void {
    this.#changes++;
    this.#commit(() => {
      this.calendar.begin(now);
      for (const described of all) this.scenarios.monitor(enterScenario(this.db, described, now));
      for (const known of [...this.scenarios.all]) {
        if (this.scenarios.isMonitored(known) || !isBadStatus(statusOf(known.standing))) continue;
        this.#memory.log.addFlip(known.id, retiredFlip(known, now, this.steady(now)));
        saveStanding(this.db, known.id, unseen, undefined);
        this.scenarios.set({ ...known, standing: unseen });
      }
    });
  }

  /** Records a run; returns the flip that it caused, if any. One that can't be written (a full disk) counts as missed. */
  record(run: FinishedRun, now: number): Flip | undefined {
    try {
      // Memory is restored after each try, which takes a while with thousands of scenarios.
      if (this.#trouble && this.steady(now) < this.#trouble.until) throw this.#trouble.error;
      return this.#commit(() => this.#record(run, now));
    } catch (error) {
      this.lost.runs++;
      this.lost.uncounted++;
      const scenario = { environment: run.environment.name, title: run.observed.first.title };
      this.drop({ scenario, skipped: 0, missed: 1 });
      if (isUnwritable(error)) this.#trouble ??= { error, until: this.steady(now) + PAUSE_MS };
      throw error;
    }
  }

  /** Runs that didn't take place are counted with what is written next. */
  drop({ scenario, skipped, missed }: DroppedRuns): void {
    const key = scenarioKey(scenario);
    const before = this.#dropped.get(key) ?? { skipped: 0, missed: 0 };
    this.#dropped.set(key, { scenario, skipped: before.skipped + skipped, missed: before.missed + missed });
  }

  /**
   * To be called every second: writes the notices that are due, the maintenance windows that are open, and what did not take place. What goes
   * down within that second is one notice.
   */
  pass(now: number): void {
    this.#restoreIfAhead();
    this.#trouble = undefined;
    const dropped = [...this.#dropped.values()];
    const due = [
      ...this.calendar.unwritten(now),
      ...this.#memory.log.dueNotices(this.#moment(now)),
      ...dropped.map(
        ({ scenario, ...counts }) =>
          () =>
            addToRollups(this.db, this.scenarios.get(scenario).id, now, counts),
      ),
    ];
    if (due.length > 0) this.#commit(() => due.map((write) => write()));
    this.#dropped.clear();
    this.lost.uncounted = 0;
  }

  announce<T>(work: (calendar: Calendar) => T): T {
    this.#changes++;
    return this.#commit(() => work(this.calendar));
  }

  handle(id: number, event: IncidentEvent): void {
    this.#changes++;
    this.#commit(() => this.#memory.log.handle(id, event));
  }

  /** Deletes what has expired, a little in each step; raw runs are kept for `keepRunsMs`. */
  *prune(at: number, keepRunsMs: number): Generator<void> {
    // A calendar that was set years ahead, by an empty battery or by mistake, must not cost the whole history.
    const now = Math.min(this.steady(at), (newestRun(this.db) ?? at) + NEWEST_MS);
    for (const { id } of [...this.scenarios.all])
      do yield;
      while (this.db.transaction(() => pruneSome(this.db, id, now, keepRunsMs)));
    this.db.transaction(() => pruneNotices(this.db, now));
  }

  close(): void {
    this.db.close();
  }

  #record({ environment, observed, planned, intervalMs, steady }: FinishedRun, at: number): Flip | undefined {
    const { first, second } = observed;
    const [isJudged, last] = [healthOfRun(first, second) !== 'unknown', second ?? first];
    const known = this.scenarios.get({ environment: environment.name, title: first.title });
    const rule = ruleFor(this.#options.rule, intervalMs);
    const { standing, change } = judgeRun(
      known.standing,
      evidenceOf(first, second),
      this.#lookOf(known, first.startedAt, steady),
      rule,
    );
    const row = runRow(observed, planned);
    const failure = failureRow(observed, addRun(this.db, known.id, row));
    if (failure) addFailure(this.db, known.id, failure);
    addToRollups(this.db, known.id, first.startedAt, countsOf(observed), latencyOf(observed, row));
    if (isJudged) noteGap(this.db, known, first.startedAt, intervalMs);
    saveStanding(this.db, known.id, standing, isJudged ? first.startedAt : undefined);
    const evidence = {
      ...flipEvidence(last, failure),
      cause: causeOf(last, environment, observed.alike, observed.held),
    };
    const scenario = { environment: known.environment, title: known.title };
    const flip =
      change && this.#memory.log.addFlip(known.id, { ...change, ...evidence, scenario, area: known.area, at });
    this.scenarios.set({ ...known, standing, ...(isJudged ? { lastJudged: first.startedAt } : {}) });
    if (appearance(standing) !== appearance(known.standing)) this.#changes++;
    return flip;
  }

  /** A run as a look at the scenario: whether nobody looked for a while before. */
  #lookOf({ standing: { seen } }: KnownScenario, at: number, steady = at): Look {
    const isLate = seen === undefined || steady - seen > LATE * this.#options.everyMs + LATE_MS;
    return { at, steady, ...(isLate ? { isAtMost: true } : {}) };
  }

  #commit<T>(work: () => T): T {
    this.#restoreIfAhead();
    try {
      return this.db.transaction(work);
    } catch (error) {
      this.#isAhead = true;
      this.#restoreIfAhead();
      throw error;
    }
  }

  #restoreIfAhead(): void {
    if (this.#isAhead) this.#memory = this.#restored();
    this.#isAhead = false;
  }

  #restored() {
    for (const known of knownScenarios(this.db)) this.scenarios.set(known);
    const calendar = new Calendar(this.db, this.#options.environments);
    const isMonitored = (ref: ScenarioRef) => this.scenarios.isMonitored(ref);
    return { calendar, log: new IncidentLog(this.#options, this.db, calendar, isMonitored) };
  }
}

/** What readers see of a standing. */
function appearance(standing: Standing): string {
  return `${statusOf(standing)} ${standing.unjudgedSince !== undefined}`;
}
