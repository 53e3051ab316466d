import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment } from '../config/index.ts';
import { runScenario, type Scenario } from '../runner/index.ts';
import { runSeed } from '../scenario/index.ts';
import type { Patience } from './alerting/backoff.ts';
import { Rounds } from './alerting/heartbeat.ts';
import { Courier } from './alerting/outbox-dispatcher.ts';
import { lockFolder } from './history/lock.ts';
import { outboxState } from './history/outbox.ts';
import { Connectivity } from './probe/connectivity.ts';
import { silentHost } from './probe/provisioner-fallback.ts';
import { type Observed, observe } from './probe/run-probe.ts';
import { Logbook } from './run-recorder.ts';
import { type Clock, pause, systemClock } from './schedule/clock.ts';
import { Scheduler } from './schedule/scheduler.ts';
import { Lane } from './schedule/serial-queue.ts';
import { type Health, healthOf } from './self-health.ts';
import type { Settings } from './settings/settings.ts';
import { statusOf } from './status/status.ts';
import { type Watched, watchedOf } from './targets.ts';

export interface MonitorOptions {
  readonly environments: readonly Environment[];
  readonly scenarios: readonly Scenario[];
  readonly settings: Settings;
  /** A line for whoever watches the process. */
  readonly say: (line: string) => void;
  readonly patience?: Patience;
  readonly clock?: Clock;
}

/** The history's file in a data folder. */
export const historyFile = (data: string) => join(data, 'history.sqlite');

const TICK_MS = 1_000;
const DAY_MS = 86_400_000;
const GRACE_MS = 3_000;

/** One process that watches environments for months: it runs, judges, keeps and tells. */
export class Monitor {
  readonly logbook: Logbook;
  readonly watched: readonly Watched[];
  readonly settings: Settings;
  readonly startedAt: number;
  /** Called when a page has something new to show. */
  onChange = () => {};
  /** Called after every run that was written down. */
  onRun: (run: { readonly watched: Watched; readonly observed: Observed }) => void = () => {};
  pageUrl: string;
  readonly #say: (line: string) => void;
  readonly #clock: Clock;
  readonly #lock: { release(): void };
  readonly #courier: Courier;
  readonly #scheduler: Scheduler;
  readonly #connectivity: Connectivity;
  readonly #rounds: Rounds;
  readonly #lanes = new Map<string, Lane>();
  readonly #ending = new AbortController();
  #lastRunAt: number | undefined;
  #historyTrouble: string | undefined;
  #cancels: (() => void)[] = [];

  constructor({ environments, scenarios, settings, say, clock = systemClock, patience }: MonitorOptions) {
    this.settings = settings;
    this.#say = say;
    this.#clock = clock;
    this.startedAt = clock.wall();
    this.pageUrl = settings.pageUrl ?? `http://${settings.listen}:${settings.port}/`;
    mkdirSync(settings.data, { recursive: true });
    this.#lock = lockFolder(join(settings.data, 'lock.sqlite'));
    try {
      this.logbook = new Logbook({
        file: historyFile(settings.data),
        environments,
        rule: settings.rule,
        channels: [...settings.channels.keys()],
        pageUrl: () => this.pageUrl,
      });
    } catch (error) {
      this.#lock.release();
      throw error;
    }
    this.watched = watchedOf(environments, scenarios, settings.everyMs);
    for (const { environment, scenario, area, effect } of this.watched)
      this.logbook.enter({ environment: environment.name, title: scenario.title, area, effect }, this.startedAt);
    this.#rounds = new Rounds({ url: settings.heartbeatUrl, say });
    this.#connectivity = new Connectivity(settings.connectivityProbe);
    this.#courier = new Courier({
      db: this.logbook.db,
      clock,
      channels: settings.channels,
      onTrouble: say,
      ...(patience ? { patience } : {}),
    });
    this.#scheduler = new Scheduler(
      clock,
      this.watched.map((watched) => this.#job(watched)),
    );
  }

  start(): void {
    this.#scheduler.start();
    this.#courier.start();
    this.#every(TICK_MS, () => this.#tick());
    this.#safely(() => this.logbook.prune(this.#clock.wall()));
    this.#every(DAY_MS, () => this.#safely(() => this.logbook.prune(this.#clock.wall())));
    void this.#rounds.begin();
    this.#every(this.settings.everyMs, () => this.#endRound());
  }

  /** Ends cleanly: what runs is stopped and left out, what is being sent may arrive, the file is closed. */
  async stop(): Promise<void> {
    for (const cancel of this.#cancels) cancel();
    this.#ending.abort();
    await this.#scheduler.stop();
    await this.#courier.stop(GRACE_MS);
    this.logbook.close();
    this.#lock.release();
  }

  health(): Health {
    const now = this.#clock.wall();
    return healthOf({
      now,
      startedAt: this.startedAt,
      lastRunAt: this.#lastRunAt,
      intervalMs: Math.min(...this.watched.map(({ intervalMs }) => intervalMs)),
      outbox: outboxState(this.logbook.db, now - DAY_MS),
      historyTrouble: this.#historyTrouble,
    });
  }

  #job(watched: Watched) {
    const { environment, scenario, intervalMs } = watched;
    const ref = { environment: environment.name, title: scenario.title };
    return {
      intervalMs,
      run: (planned: number) => this.#run(watched, planned).catch((error: unknown) => this.#trouble(error)),
      dropped: (counts: { skipped: number; missed: number }) =>
        this.#safely(() => this.logbook.drop(ref, counts, this.#clock.wall())),
    };
  }

  async #run(watched: Watched, planned: number): Promise<void> {
    const { environment, scenario, area, intervalMs } = watched;
    const lane = this.#lane(`${environment.name} ${area}`);
    const { signal } = this.#ending;
    const ref = { environment: environment.name, title: scenario.title };
    const observed = await observe({
      attempt: () => lane.do(() => this.#attempt(environment, scenario)),
      isKnownDown: statusOf(this.logbook.standing(ref)) === 'down',
      waitToConfirm: () => pause(this.#clock, this.settings.confirmAfterMs, signal),
      pauses: () => this.#scheduler.pauses.count,
      // A loopback address is never cut off.
      whyCutOff: async (since) => (environment.isLoopback ? undefined : this.#connectivity.whyCutOff(since)),
      now: () => this.#clock.mono(),
      signal,
    });
    if (signal.aborted) return;
    const now = this.#clock.wall();
    const flip = this.logbook.record(environment, observed, planned, intervalMs, now);
    this.#historyTrouble = undefined;
    this.#lastRunAt = now;
    this.#rounds.ran();
    if (flip) {
      this.#say(
        `${new Date(now).toISOString()} ${environment.name}: "${scenario.title}" ${flip.from} → ${flip.to}${flip.reason ? ` — ${flip.reason}` : ''}`,
      );
      this.#courier.look();
    }
    this.onRun({ watched, observed });
    this.onChange();
  }

  async #attempt(environment: Environment, scenario: Scenario) {
    const result = await runScenario(scenario, {
      environment,
      seed: `${runSeed()} ${randomUUID()}`,
      runId: randomUUID(),
      signal: this.#ending.signal,
    });
    if (result.exchanges.some(({ answer }) => answer)) this.#connectivity.answered(this.#clock.mono());
    return silentHost(result, environment);
  }

  #tick(): void {
    this.#safely(() => {
      const now = this.#clock.wall();
      this.logbook.noteMaintenance(now);
      this.logbook.tellDue(now);
    });
  }

  #endRound(): void {
    let isWell = false;
    this.#safely(() => {
      isWell = this.health().isWell;
    });
    void this.#rounds.next(isWell);
  }

  #lane(name: string): Lane {
    const lane = this.#lanes.get(name) ?? new Lane();
    this.#lanes.set(name, lane);
    return lane;
  }

  #every(ms: number, work: () => void): void {
    const index = this.#cancels.length;
    const again = () => {
      this.#cancels[index] = this.#clock.after(ms, () => {
        again();
        work();
      });
    };
    this.#cancels.push(() => {});
    again();
  }

  #safely(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#trouble(error);
    }
  }

  /** Said once, until it works again or is another one. */
  #trouble(error: unknown): void {
    const text = error instanceof Error ? error.message : String(error);
    if (text !== this.#historyTrouble) this.#say(text);
    this.#historyTrouble = text;
  }
}
