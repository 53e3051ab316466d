import type { Clock } from '../schedule/clock.ts';
import { type Flip, type ScenarioRef, scenarioKey } from '../status/flip.ts';
import type { RunRecorder } from './run-recorder.ts';
import type { FinishedRun } from './run-rows.ts';

/** Between two writes, in ms: each waits for the disk, and everything else in this process waits with it. */
const PAUSE_MS = 250;

/** Runs of one transaction: with a flip each, some milliseconds. What is left has its turn after everything else. */
const AT_ONCE = 10;

/** Planned runs that left no result: the run before was under way, or there was nothing to write it down in. */
export interface DroppedRuns {
  readonly skipped: number;
  readonly missed: number;
}

interface Waiting {
  readonly run: FinishedRun;
  readonly resolve: (flip: Flip | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Writes runs down: at once, or, so soon after the last write, those of a moment in one transaction. What can't be written (a full disk)
 * is counted in memory until the history can count it as missed.
 */
export class RunWriter {
  readonly #recorder: Pick<RunRecorder, 'recordAll' | 'drop'>;
  readonly #clock: Clock;
  readonly #waiting: Waiting[] = [];
  readonly #uncounted = new Map<string, { readonly ref: ScenarioRef; readonly counts: DroppedRuns }>();
  #last = Number.NEGATIVE_INFINITY;
  #cancel: (() => void) | undefined;
  #isEnded = false;
  #lost = 0;

  constructor(recorder: Pick<RunRecorder, 'recordAll' | 'drop'>, clock: Clock) {
    this.#recorder = recorder;
    this.#clock = clock;
  }

  /** Runs whose results are lost; and how many runs the history doesn't even count yet. */
  get lost(): { readonly runs: number; readonly uncounted: number } {
    const uncounted = this.#uncounted.values().reduce((sum, { counts }) => sum + counts.skipped + counts.missed, 0);
    return { runs: this.#lost, uncounted };
  }

  /** Resolves with the flip that the run caused, if any, after fsync; rejects when it can't be written. */
  write(run: FinishedRun): Promise<Flip | undefined> {
    const { promise, resolve, reject } = Promise.withResolvers<Flip | undefined>();
    this.#waiting.push({ run, resolve, reject });
    const wait = this.#last + PAUSE_MS - this.#clock.mono();
    if (wait <= 0 || this.#isEnded) this.#flush();
    else this.#cancel ??= this.#clock.after(wait, () => this.#flush());
    return promise;
  }

  /** Counts runs that didn't take place; throws what writing throws, and keeps the rest. */
  drop(ref: ScenarioRef, counts: DroppedRuns): void {
    this.#add(ref, counts);
    this.count();
  }

  /** Writes counts down that could not be written earlier. */
  count(): void {
    for (const [key, { ref, counts }] of this.#uncounted) {
      this.#recorder.drop(ref, counts, this.#clock.wall());
      this.#uncounted.delete(key);
    }
  }

  /** Writes what waits, and from now on each at once. */
  end(): void {
    this.#isEnded = true;
    while (this.#waiting.length > 0) this.#flush();
  }

  #flush(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#last = this.#clock.mono();
    const some = this.#waiting.splice(0, AT_ONCE);
    // What can't be written together is tried one by one, so that one alone is lost.
    if (some.length === 1 || !this.#write(some)) for (const one of some) this.#write([one], one.reject);
    if (this.#waiting.length > 0 && !this.#isEnded) this.#cancel = this.#clock.after(1, () => this.#flush());
  }

  /** Whether it succeeded; `reject`: what can't be written is lost. */
  #write(some: readonly Waiting[], reject?: Waiting['reject']): boolean {
    try {
      const flips = this.#recorder.recordAll(some.map(({ run }) => run));
      for (const [index, { resolve }] of some.entries()) resolve(flips[index]);
      return true;
    } catch (error) {
      if (!reject) return false;
      for (const { run } of some) {
        this.#lost++;
        this.#add({ environment: run.environment.name, title: run.observed.first.title }, { skipped: 0, missed: 1 });
      }
      reject(error);
      return false;
    }
  }

  #add(ref: ScenarioRef, { skipped, missed }: DroppedRuns): void {
    const { counts } = this.#uncounted.get(scenarioKey(ref)) ?? { counts: { skipped: 0, missed: 0 } };
    const sum = { skipped: counts.skipped + skipped, missed: counts.missed + missed };
    this.#uncounted.set(scenarioKey(ref), { ref, counts: sum });
  }
}
