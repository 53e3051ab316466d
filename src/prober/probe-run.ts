import { setTimeout as wait } from 'node:timers/promises';
import type { Environment } from '../environment/index.ts';
import { NoTimeLeft, notStarted, type ScenarioResult, stopsOf } from '../run/index.ts';
import type { NamedScenario } from './modules.ts';

export interface Snapshot {
  /** One result for each scenario, in the order of the scenarios. A scenario for which no time was left has the verdict `skipped`. */
  readonly results: readonly ScenarioResult[];
  /** Time since the run began; `undefined` if the run still waits for its turn. */
  readonly durationMs: number | undefined;
}

interface Asked {
  /** Identifies target and module. Another probe with the same key may join this run. */
  readonly key: string;
  readonly environment: Environment;
  readonly scenarios: readonly NamedScenario[];
  /** The time limit of the probe that began this run, in ms. */
  readonly limitMs: number;
}

/**
 * One run of a module. Several probes may wait for one run. The time limit of the first probe is the limit of the run. Each probe gets the
 * results so far as soon as the run has ended, or the probe's own time is up.
 */
export class ProbeRun {
  readonly asked: Asked;
  /** Settles when the run has ended, with its clean-up. */
  readonly ended: Promise<void>;
  readonly #results = new Map<string, ScenarioResult>();
  readonly #stop = new AbortController();
  /** Aborted when the scenarios must stop. Clean-up continues after that. */
  readonly signal: AbortSignal = this.#stop.signal;
  #waiting = 0;
  #startedAt: number | undefined;
  #endedAt: number | undefined;

  /** `play` waits until it is the run's turn, then runs the scenarios, and cleans up. */
  constructor(asked: Asked, play: (run: ProbeRun) => Promise<void>) {
    this.asked = asked;
    const timer = setTimeout(() => this.stop(), stopsOf(asked.limitMs).stopMs);
    this.ended = play(this).finally(() => {
      this.#endedAt = performance.now();
      clearTimeout(timer);
    });
    this.ended.catch(() => {});
  }

  /** Called when the run no longer waits for its turn. The measurement of its duration starts here. */
  begin(): void {
    this.#startedAt = performance.now();
  }

  add(result: ScenarioResult): void {
    this.#results.set(result.title, result);
  }

  get isWaiting(): boolean {
    return this.#startedAt === undefined;
  }

  /** Whether another probe may join this run: it has neither been stopped nor ended. */
  get isOpen(): boolean {
    return !this.signal.aborted && this.#endedAt === undefined;
  }

  /**
   * Waits until the run ends, `limitMs` have passed, or `gone` is aborted. If no other probe waits for the run, stops it.
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

  /** Stops the scenarios of the run; clean-up continues. */
  stop(): void {
    this.#stop.abort(new NoTimeLeft());
  }
}
