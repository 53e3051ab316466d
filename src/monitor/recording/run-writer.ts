import type { Clock } from '../schedule/clock.ts';
import { type Flip, scenarioKey } from '../status/flip.ts';
import type { RunRecorder } from './run-recorder.ts';
import type { DroppedRuns, FinishedRun } from './run-rows.ts';

/** Between two writes, in ms: each waits for the disk, and everything else in this process waits with it. */
const PAUSE_MS = 250;

/** Runs of one transaction: with a flip each, some milliseconds. What is left has its turn after everything else. */
const AT_ONCE = 10;

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
  readonly #dropped = new Map<string, DroppedRuns>();
  #last = Number.NEGATIVE_INFINITY;
  #cancel: (() => void) | undefined;
  #isEnded = false;
  #lost = 0;
  /** Nothing can be written since a run was lost. */
  #isBehind = false;

  constructor(recorder: Pick<RunRecorder, 'recordAll' | 'drop'>, clock: Clock) {
    this.#recorder = recorder;
    this.#clock = clock;
  }

  /** Runs whose results are lost; and how many runs the history doesn't even count yet. */
  get lost(): { readonly runs: number; readonly uncounted: number } {
    const all = this.#isBehind ? [...this.#dropped.values()] : [];
    return { runs: this.#lost, uncounted: all.reduce((sum, { skipped, missed }) => sum + skipped + missed, 0) };
  }

  /** Resolves with the flip that the run caused, if any, after fsync; rejects when it can't be written. */
  write(run: FinishedRun): Promise<Flip | undefined> {
    const { promise, resolve, reject } = Promise.withResolvers<Flip | undefined>();
    this.#waiting.push({ run, resolve, reject });
    this.#flushSoon();
    return promise;
  }

  /** Counts runs that didn't take place, with what is written next. */
  drop(runs: DroppedRuns): void {
    this.#add(runs);
    this.#flushSoon();
  }

  /** Writes what waits, and from now on each at once; what is not counted yet has its last try. */
  end(): void {
    this.#isEnded = true;
    this.#isBehind = false;
    do this.#flush();
    while (this.#waiting.length > 0);
  }

  #flushSoon(): void {
    const wait = this.#last + PAUSE_MS - this.#clock.mono();
    if (wait <= 0 || this.#isEnded) this.#flush();
    else this.#cancel ??= this.#clock.after(wait, () => this.#flush());
  }

  #flush(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#last = this.#clock.mono();
    const some = this.#waiting.splice(0, AT_ONCE);
    // What can't be written together is tried one by one, so that one alone is lost.
    if (some.length < 2 || !this.#write(some)) for (const one of some) this.#write([one], one.reject);
    if (!this.#isBehind) this.#count();
    if (this.#waiting.length > 0 && !this.#isEnded) this.#cancel = this.#clock.after(1, () => this.#flush());
  }

  /** Whether it succeeded; `reject`: what can't be written is lost. */
  #write(some: readonly Waiting[], reject?: Waiting['reject']): boolean {
    try {
      const flips = this.#recorder.recordAll(some.map(({ run }) => run));
      for (const [index, { resolve }] of some.entries()) resolve(flips[index]);
      this.#isBehind = false;
      return true;
    } catch (error) {
      if (!reject) return false;
      for (const { run } of some) {
        const scenario = { environment: run.environment.name, title: run.observed.first.title };
        this.#lost++;
        this.#isBehind = true;
        this.#add({ scenario, skipped: 0, missed: 1 });
      }
      reject(error);
      return false;
    }
  }

  #count(): void {
    if (this.#dropped.size === 0) return;
    try {
      this.#recorder.drop([...this.#dropped.values()], this.#clock.wall());
      this.#dropped.clear();
    } catch {
      // The runs that can't be written say why.
      this.#isBehind = true;
    }
  }

  #add({ scenario, skipped, missed }: DroppedRuns): void {
    const key = scenarioKey(scenario);
    const before = this.#dropped.get(key) ?? { skipped: 0, missed: 0 };
    this.#dropped.set(key, { scenario, skipped: before.skipped + skipped, missed: before.missed + missed });
  }
}
