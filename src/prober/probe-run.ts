import { setTimeout as wait } from 'node:timers/promises';
import type { Environment } from '../environment/index.ts';
import { NoTimeLeft, notStarted, type ScenarioResult, stopsOf } from '../run/index.ts';
import type { NamedScenario } from './modules.ts';

export interface Snapshot {
  /** One for each scenario, in their order; those that the time wasn't enough for are skipped. */
  readonly results: readonly ScenarioResult[];
  /** Since it began; `undefined` when it is still waiting for its turn. */
  readonly durationMs: number | undefined;
}

interface Asked {
  /** The question of the probe: another asker of the same question may wait for this run, too. */
  readonly key: string;
  readonly environment: Environment;
  readonly scenarios: readonly NamedScenario[];
  /** The time that the first who asked allows, in ms. */
  readonly limitMs: number;
}

/**
 * One run of a module that several may wait for. It plays for as long as the first of them allows; each gets what has been found when the run
 * has ended, or when its own time is up.
 */
export class ProbeRun {
  readonly asked: Asked;
  /** Settles after clean-up. */
  readonly ended: Promise<void>;
  readonly #results = new Map<string, ScenarioResult>();
  readonly #stop = new AbortController();
  /** Aborted when scenarios must stop; clean-up continues. */
  readonly signal: AbortSignal = this.#stop.signal;
  #waiting = 0;
  #startedAt: number | undefined;
  #endedAt: number | undefined;

  /** `play` waits for the run's turn, plays its scenarios, and cleans up. */
  constructor(asked: Asked, play: (run: ProbeRun) => Promise<void>) {
    this.asked = asked;
    const timer = setTimeout(() => this.stop(), stopsOf(asked.limitMs).stopMs);
    this.ended = play(this).finally(() => {
      this.#endedAt = performance.now();
      clearTimeout(timer);
    });
    this.ended.catch(() => {});
  }

  /** It waits no longer. */
  begin(): void {
    this.#startedAt = performance.now();
  }

  add(result: ScenarioResult): void {
    this.#results.set(result.title, result);
  }

  get isWaiting(): boolean {
    return this.#startedAt === undefined;
  }

  /** Whether another asker may wait for this run: its scenarios have not been stopped. */
  get isOpen(): boolean {
    return !this.signal.aborted && this.#endedAt === undefined;
  }

  /**
   * Waits for the end of the run, for at most `limitMs`, or until `gone` is aborted; a run that nobody waits for any more is stopped.
   * @throws any error of the run
   */
  async wait(limitMs: number, gone: AbortSignal): Promise<Snapshot> {
    this.#waiting++;
    const over = new AbortController();
    const signal = AbortSignal.any([gone, over.signal]);
    try {
      await Promise.race([this.ended, wait(limitMs, undefined, { signal }).catch(() => {})]);
    } finally {
      over.abort();
      if (--this.#waiting === 0 && this.isOpen) this.stop();
    }
    const until = this.#endedAt ?? performance.now();
    const { scenarios, environment } = this.asked;
    const results = scenarios.map(
      ({ scenario }) => this.#results.get(scenario.title) ?? notStarted(scenario, environment),
    );
    return { results, durationMs: this.#startedAt === undefined ? undefined : until - this.#startedAt };
  }

  /** Stops its scenarios; they are still cleaned up. */
  stop(): void {
    this.#stop.abort(new NoTimeLeft());
  }
}
