import type { Environment } from '../config/index.ts';
import { composeNotice } from './alerting/compose-notice.ts';
import { failureRow, phaseSums } from './failure-row.ts';
import { HistoryDatabase } from './history/database.ts';
import { addFlip, addNotification, flips, noteMaintenance, notifications } from './history/flips.ts';
import { addNotice, pruneNotices } from './history/outbox.ts';
import { addToRollups } from './history/rollups.ts';
import { addFailure, addGap, addRun, prune } from './history/runs.ts';
import { enterScenario, type KnownScenario, knownScenarios, saveStanding } from './history/scenarios.ts';
import type { ProbeResult } from './probe/run-probe.ts';
import { causeOf } from './status/cause.ts';
import type { Flip } from './status/flip.ts';
import { type Incident, IncidentBook } from './status/incident.ts';
import { maintenanceAt } from './status/maintenance.ts';
import {
  afterNotice,
  dueNotice,
  type NoticeKind,
  type NotificationPolicy,
  type Notified,
  neverNotified,
} from './status/notification-policy.ts';
import { healthOfRun, indicatorOf, passedOnRetry } from './status/run-health.ts';
import { type FlipRule, judgeRun } from './status/status.ts';

export interface RunRecorderOptions {
  readonly file: string;
  readonly environments: readonly Environment[];
  readonly rule: FlipRule & NotificationPolicy;
  /** Names of the channels to write notices for. */
  readonly channels: readonly string[];
  readonly pageUrl: () => string;
}

type Described = Pick<KnownScenario, 'environment' | 'title' | 'area' | 'effect'>;

/** More than this many intervals between two judged runs are a gap in the data. */
const GAP_AFTER = 2.5;

/**
 * Records runs and what follows from them: statuses, incidents, notices. Each run with all its
 * consequences is one transaction; memory changes only after it.
 */
export class RunRecorder {
  readonly db: HistoryDatabase;
  readonly #options: RunRecorderOptions;
  #scenarios = new Map<string, KnownScenario>();
  readonly #targets = new Set<string>();
  #book = new IncidentBook();
  #notified = new Map<number, Notified>();
  readonly #versions = new Map<number, number>();

  constructor(options: RunRecorderOptions) {
    this.#options = options;
    this.db = new HistoryDatabase(options.file);
    this.#reload();
  }

  /** The monitored scenarios; the file may contain others, of other environments or with earlier titles. */
  get scenarios(): readonly KnownScenario[] {
    return [...this.#scenarios].filter(([key]) => this.#targets.has(key)).map(([, known]) => known);
  }

  get incidents(): Incident[] {
    return [...this.#book.all];
  }

  /** Adds a scenario, or returns it with its current standing. */
  enter(described: Described, now: number): KnownScenario {
    return this.enterAll([described], now)[0] as KnownScenario;
  }

  /** The same for many, in one transaction. */
  enterAll(described: readonly Described[], now: number): KnownScenario[] {
    const entered = this.db.transaction(() => described.map((one) => enterScenario(this.db, one, now)));
    for (const known of entered) {
      this.#scenarios.set(keyOf(known), known);
      this.#targets.add(keyOf(known));
    }
    return entered;
  }

  /** A monitored scenario as it stands now. */
  scenario(ref: Pick<KnownScenario, 'environment' | 'title'>): KnownScenario {
    return this.#known(ref);
  }

  standing({ environment, title }: Pick<KnownScenario, 'environment' | 'title'>): KnownScenario['standing'] {
    return this.#known({ environment, title }).standing;
  }

  /** Changes with every record of a scenario, so that caches know when they are stale. */
  version({ id }: Pick<KnownScenario, 'id'>): number {
    return this.#versions.get(id) ?? 0;
  }

  /** Records one run; `planned` and `now` are epochs, in ms. Returns the flip that it caused, if any. */
  record(
    environment: Environment,
    observed: ProbeResult,
    planned: number,
    intervalMs: number,
    now: number,
  ): Flip | undefined {
    const { first, second } = observed;
    const known = this.#known({ environment: environment.name, title: first.title });
    const evidence = healthOfRun(first, second);
    const { standing, change } = judgeRun(known.standing, evidence, first.startedAt, this.#options.rule);
    const isJudged = evidence !== 'unknown';
    const indicator = indicatorOf(first);
    const last = second ?? first;
    return this.#commit(() => {
      this.#versions.set(known.id, this.version(known) + 1);
      const { status, phases } = phaseSums(first.exchanges);
      const run = addRun(this.db, known.id, {
        planned: Math.round(planned),
        started: first.startedAt,
        ms: first.durationMs,
        verdict: first.verdict,
        ...(second ? { retry: second.verdict } : {}),
        evidence,
        ...(status === undefined ? {} : { status }),
        ...(phases ? { phases } : {}),
      });
      const failure = failureRow(observed, run);
      if (failure) addFailure(this.db, known.id, failure);
      const counts = {
        runs: 1,
        judged: indicator ? 1 : 0,
        good: indicator === 'good' ? 1 : 0,
        degraded: evidence === 'degraded' ? 1 : 0,
        retried: passedOnRetry(first, second) ? 1 : 0,
      };
      const measured = indicator ? { ms: first.durationMs, ...(phases ? { phases } : {}) } : undefined;
      addToRollups(this.db, known.id, first.startedAt, counts, measured);
      if (isJudged) this.#noteGap(known, first.startedAt, intervalMs);
      saveStanding(this.db, known.id, standing, isJudged ? first.startedAt : undefined);
      const flip =
        change &&
        addFlip(this.db, known.id, {
          ...change,
          scenario: { environment: known.environment, title: known.title },
          area: known.area,
          at: now,
          verdict: last.verdict,
          ...(last.grade ? { grade: last.grade } : {}),
          ...(failure?.reason ? { reason: failure.reason } : {}),
          ...(failure?.curl ? { curl: failure.curl } : {}),
          cause: causeOf(last, environment),
        });
      const lastJudged = isJudged ? first.startedAt : known.lastJudged;
      this.#scenarios.set(keyOf(known), { ...known, standing, ...(lastJudged === undefined ? {} : { lastJudged }) });
      if (flip) this.#book.add(flip);
      this.#tellDue(now);
      return flip;
    });
  }

  /** Records planned runs that didn't take place. */
  drop(
    scenario: Pick<KnownScenario, 'environment' | 'title'>,
    counts: { skipped: number; missed: number },
    now: number,
  ): void {
    const { id } = this.#known(scenario);
    this.#commit(() => {
      this.#versions.set(id, this.version({ id }) + 1);
      addToRollups(this.db, id, now, counts);
    });
  }

  /** Writes notices that become due without a run: reminders, and alerts at the end of a maintenance window. */
  notifyDue(now: number): void {
    if (this.#due(now).length > 0) this.#commit(() => this.#tellDue(now));
  }

  /** Records the maintenance windows that are open now, so that later settings don't rewrite the past. */
  noteMaintenance(now: number): void {
    for (const { name, monitoring } of this.#options.environments) {
      const span = maintenanceAt(monitoring.maintenance, now);
      if (span) this.#commit(() => noteMaintenance(this.db, name, span));
    }
  }

  prune(now: number): void {
    for (const { id } of this.#scenarios.values()) this.#commit(() => prune(this.db, id, now));
    this.#commit(() => pruneNotices(this.db, now));
  }

  close(): void {
    this.db.close();
  }

  #known(scenario: Pick<KnownScenario, 'environment' | 'title'>): KnownScenario {
    const known = this.#scenarios.get(keyOf(scenario));
    if (!known) throw new Error(`"${scenario.title}" of ${scenario.environment} is not a known scenario`);
    return known;
  }

  #noteGap({ id, firstRun, lastJudged }: KnownScenario, at: number, intervalMs: number): void {
    const from = lastJudged === undefined ? firstRun : lastJudged + intervalMs;
    if (at - (lastJudged ?? firstRun) > GAP_AFTER * intervalMs) addGap(this.db, id, { from, to: at });
  }

  #due(now: number): { incident: Incident; kind: NoticeKind }[] {
    const { environments, rule } = this.#options;
    const inMaintenance = new Set(
      environments.filter(({ monitoring }) => maintenanceAt(monitoring.maintenance, now)).map(({ name }) => name),
    );
    return this.incidents.flatMap((incident) => {
      // A scenario that is no longer monitored can't recover, so its incident gets no reminders.
      if (incident.until === undefined && !incident.open.some((ref) => this.#targets.has(keyOf(ref)))) return [];
      const notified = this.#notified.get(incident.id) ?? neverNotified;
      const kind = dueNotice(incident, notified, now, inMaintenance.has(incident.environment), rule);
      return kind ? [{ incident, kind }] : [];
    });
  }

  #tellDue(now: number): void {
    const { channels, pageUrl } = this.#options;
    const { instance } = this.db;
    for (const { incident, kind } of this.#due(now)) {
      const telling = addNotification(this.db, incident, kind, now);
      const body = JSON.stringify(composeNotice(incident, kind, { instance, pageUrl: pageUrl(), now }));
      for (const channel of channels) {
        const key = `${instance}-${telling}-${channel}`;
        addNotice(this.db, { key, incident: incident.id, channel, body }, now);
      }
      this.#notified.set(
        incident.id,
        afterNotice(this.#notified.get(incident.id) ?? neverNotified, kind, incident, now),
      );
    }
  }

  #commit<T>(work: () => T): T {
    try {
      return this.db.transaction(work);
    } catch (error) {
      this.#reload();
      throw error;
    }
  }

  /** Restores memory from the file. */
  #reload(): void {
    this.#scenarios = new Map(knownScenarios(this.db).map((known) => [keyOf(known), known]));
    this.#book = new IncidentBook();
    for (const flip of flips(this.db)) this.#book.add(flip);
    this.#notified = notifications(this.db);
  }
}

function keyOf({ environment, title }: Pick<KnownScenario, 'environment' | 'title'>): string {
  return `${environment}\n${title}`;
}
