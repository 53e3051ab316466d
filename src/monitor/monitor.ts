import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { assertWritableFolder, fileRoles } from '../config/files/index.ts';
import type { Environment } from '../config/index.ts';
import { runScenario, type Scenario } from '../runner/index.ts';
import { runSeed } from '../scenario/index.ts';
import type { RetryPolicy } from './alerting/backoff.ts';
import { Heartbeat } from './alerting/heartbeat.ts';
import { OutboxDispatcher } from './alerting/outbox-dispatcher.ts';
import { lockFolder } from './history/lock.ts';
import { outboxState } from './history/outbox.ts';
import { PruneGuard } from './history/prune-guard.ts';
import { Connectivity } from './probe/connectivity.ts';
import { provisionerFallback } from './probe/provisioner-fallback.ts';
import { type ProbeResult, runProbe } from './probe/run-probe.ts';
import { RunRecorder } from './run-recorder.ts';
import { type Clock, pause, systemClock } from './schedule/clock.ts';
import { Scheduler } from './schedule/scheduler.ts';
import { SerialQueue } from './schedule/serial-queue.ts';
import { Timers } from './schedule/timers.ts';
import { type SelfHealth, selfHealthOf } from './self-health.ts';
import type { Settings } from './settings/settings.ts';
import type { ScenarioRef } from './status/flip.ts';
import { statusOf } from './status/status.ts';
import { type ProbeTarget, probeTargets } from './targets.ts';
import { type DroppedRuns, UnwrittenRuns } from './unwritten-runs.ts';

export interface MonitorOptions {
  readonly environments: readonly Environment[];
  readonly scenarios: readonly Scenario[];
  readonly settings: Settings;
  /** A line for whoever watches the process. */
  readonly say: (line: string) => void;
  readonly retryPolicy?: RetryPolicy;
  readonly clock?: Clock;
}

/** The history's file in a data folder. */
export const historyFile = (data: string) => join(data, 'history.sqlite');

const TICK_MS = 1_000;
const DAY_MS = 86_400_000;
const GRACE_MS = 3_000;

/** One process that watches environments for months: it runs, judges, keeps and tells. */
export class Monitor {
  readonly recorder: RunRecorder;
  readonly targets: readonly ProbeTarget[];
  readonly settings: Settings;
  readonly startedAt: number;
  /** Called when a page has something new to show. */
  onChange = () => {};
  /** Called after every run that was written down. */
  onRun: (run: { readonly target: ProbeTarget; readonly observed: ProbeResult }) => void = () => {};
  pageUrl: string;
  readonly #say: (line: string) => void;
  readonly #clock: Clock;
  readonly #lock: { release(): void };
  readonly #dispatcher: OutboxDispatcher;
  readonly #scheduler: Scheduler;
  readonly #connectivity: Connectivity;
  readonly #heartbeat: Heartbeat;
  readonly #queues = new Map<string, SerialQueue>();
  readonly #ending = new AbortController();
  readonly #unwritten = new UnwrittenRuns();
  #lastRunAt: number | undefined;
  #soundAt: number;
  #historyTrouble: string | undefined;
  readonly #timers: Timers;
  readonly #pruneGuard: PruneGuard;

  constructor({ environments, scenarios, settings, say, clock = systemClock, retryPolicy }: MonitorOptions) {
    this.settings = settings;
    this.#say = say;
    this.#clock = clock;
    this.#timers = new Timers(clock);
    this.#pruneGuard = new PruneGuard(clock);
    this.#soundAt = clock.mono();
    this.startedAt = clock.wall();
    this.pageUrl = settings.pageUrl ?? `http://${settings.listen}:${settings.port}/`;
    assertWritableFolder(settings.data, fileRoles.data);
    this.#lock = lockFolder(join(settings.data, 'lock.sqlite'));
    try {
      this.recorder = new RunRecorder({
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
    this.targets = probeTargets(environments, scenarios, settings.everyMs);
    for (const { environment, scenario, area, effect } of this.targets)
      this.recorder.enter({ environment: environment.name, title: scenario.title, area, effect }, this.startedAt);
    this.#heartbeat = new Heartbeat({ url: settings.heartbeatUrl, say });
    this.#connectivity = new Connectivity(settings.connectivityProbe);
    this.#dispatcher = new OutboxDispatcher({
      db: this.recorder.db,
      clock,
      channels: settings.channels,
      onTrouble: say,
      ...(retryPolicy ? { retryPolicy } : {}),
    });
    this.#scheduler = new Scheduler(
      clock,
      this.targets.map((target) => this.#job(target)),
    );
  }

  start(): void {
    this.#scheduler.start();
    this.#dispatcher.start();
    this.#timers.every(TICK_MS, () => this.#tick());
    const prune = () => this.#safely(() => this.#pruneGuard.prune(this.recorder));
    prune();
    this.#timers.every(DAY_MS, prune);
    void this.#heartbeat.begin();
    this.#timers.every(this.settings.everyMs, () => this.#endRound());
  }

  /** Ends cleanly: what runs is stopped and left out, what is being sent may arrive, the file is closed. */
  async stop(): Promise<void> {
    this.#timers.cancel();
    this.#ending.abort();
    await this.#scheduler.stop();
    await this.#dispatcher.stop(GRACE_MS);
    this.#safely(() => this.#unwritten.flush(this.#count.bind(this)));
    this.recorder.close();
    this.#lock.release();
  }

  get lost(): UnwrittenRuns['lost'] {
    return this.#unwritten.lost;
  }

  health(): SelfHealth {
    const now = this.#clock.wall();
    return selfHealthOf({
      now,
      startedAt: this.startedAt,
      silentMs: this.#clock.mono() - this.#soundAt,
      lastRunAt: this.#lastRunAt,
      intervalMs: Math.min(...this.targets.map(({ intervalMs }) => intervalMs)),
      outbox: outboxState(this.recorder.db, now - DAY_MS),
      historyTrouble: this.#historyTrouble,
      unwrittenRuns: this.lost.uncounted,
    });
  }

  #job(target: ProbeTarget) {
    const { environment, scenario, intervalMs } = target;
    const ref = { environment: environment.name, title: scenario.title };
    return {
      intervalMs,
      run: (planned: number) => this.#run(target, planned).catch((error: unknown) => this.#trouble(error)),
      dropped: (counts: DroppedRuns) => this.#safely(() => this.#unwritten.count(ref, counts, this.#count.bind(this))),
    };
  }

  async #run(target: ProbeTarget, planned: number): Promise<void> {
    const { environment, scenario, area, intervalMs } = target;
    const queue = this.#queue(`${environment.name} ${area}`);
    const { signal } = this.#ending;
    const ref = { environment: environment.name, title: scenario.title };
    const observed = await runProbe({
      attempt: () => queue.do(() => this.#attempt(environment, scenario)),
      isKnownDown: statusOf(this.recorder.standing(ref)) === 'down',
      waitToConfirm: () => pause(this.#clock, this.settings.confirmAfterMs, signal),
      pauses: () => this.#scheduler.pauses.count,
      // A loopback address is never cut off.
      whyCutOff: async (since) => (environment.isLoopback ? undefined : this.#connectivity.whyCutOff(since)),
      now: () => this.#clock.mono(),
      signal,
    });
    if (signal.aborted) return;
    const now = this.#clock.wall();
    const flip = this.#unwritten.record(ref, () =>
      this.recorder.record(environment, observed, planned, intervalMs, now),
    );
    this.#unwritten.flush(this.#count.bind(this));
    this.#historyTrouble = undefined;
    this.#lastRunAt = now;
    this.#soundAt = this.#clock.mono();
    this.#heartbeat.ran();
    if (flip) {
      this.#say(
        `${new Date(now).toISOString()} ${environment.name}: "${scenario.title}" ${flip.from} → ${flip.to}${flip.reason ? ` — ${flip.reason}` : ''}`,
      );
      this.#dispatcher.look();
    }
    this.onRun({ target, observed });
    this.onChange();
  }

  async #attempt(environment: Environment, scenario: Scenario) {
    const result = await runScenario(scenario, {
      environment,
      seed: `${runSeed()} ${randomUUID()}`,
      runId: randomUUID(),
      signal: this.#ending.signal,
    });
    if (result.exchanges.some(({ response }) => response)) this.#connectivity.answered(this.#clock.mono());
    return provisionerFallback(result, environment);
  }

  #count(ref: ScenarioRef, counts: DroppedRuns): void {
    this.recorder.drop(ref, counts, this.#clock.wall());
  }

  #tick(): void {
    this.#safely(() => {
      const now = this.#clock.wall();
      this.recorder.noteMaintenance(now);
      this.recorder.tellDue(now);
    });
  }

  #endRound(): void {
    let isWell = false;
    this.#safely(() => {
      isWell = this.health().isWell;
    });
    void this.#heartbeat.next(isWell);
  }

  #queue(name: string): SerialQueue {
    const queue = this.#queues.get(name) ?? new SerialQueue();
    this.#queues.set(name, queue);
    return queue;
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
