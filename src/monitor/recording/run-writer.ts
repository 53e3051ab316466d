import { isUnwritable } from '../history/database.ts';
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
  readonly #recorder: Pick<RunRecorder, 'recordAll'>;
  readonly #clock: Clock;
  readonly #waiting: Waiting[] = [];
  readonly #dropped = new Map<string, DroppedRuns>();
  /** Runs whose results are lost; and how many of them the history doesn't even count yet. */
  readonly lost = { runs: 0, uncounted: 0 };
  #last = Number.NEGATIVE_INFINITY;
  #cancel: (() => void) | undefined;
  #isEnded = false;

  constructor(recorder: Pick<RunRecorder, 'recordAll'>, clock: Clock) {
    this.#recorder = recorder;
    this.#clock = clock;
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

  /** Runs that didn't take place are counted with the next one that is written. */
  drop({ scenario, skipped, missed }: DroppedRuns): void {
    const key = scenarioKey(scenario);
    const before = this.#dropped.get(key) ?? { skipped: 0, missed: 0 };
    this.#dropped.set(key, { scenario, skipped: before.skipped + skipped, missed: before.missed + missed });
  }

  /** Writes what waits, and from now on each at once. */
  end(): void {
    this.#isEnded = true;
    do this.#flush();
    while (this.#waiting.length > 0);
    // Nothing writes down any more what did not take place and waits to be counted.
    const all = [...this.#dropped.values()].reduce((sum, { skipped, missed }) => sum + skipped + missed, 0);
    this.lost.runs += all - this.lost.uncounted;
    this.lost.uncounted = all;
  }

  #flush(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#last = this.#clock.mono();
    const some = this.#waiting.splice(0, AT_ONCE);
    // What can't be written together is tried one by one, so that one alone is lost.
    if (!this.#write(some, some.length < 2)) for (const one of some) this.#write([one], true);
    if (this.#waiting.length > 0 && !this.#isEnded) this.#cancel = this.#clock.after(1, () => this.#flush());
  }

  /** Whether that is settled: they are written, or, with `isLast` and where nothing can be written, lost. */
  #write(some: readonly Waiting[], isLast: boolean): boolean {
    try {
      const runs = some.map(({ run }) => run);
      const flips = this.#recorder.recordAll(runs, this.#clock.wall(), [...this.#dropped.values()]);
      for (const [index, { resolve }] of some.entries()) resolve(flips[index]);
      this.#dropped.clear();
      this.lost.uncounted = 0;
      return true;
    } catch (error) {
      // On a full disk none can be written, and memory is restored after each try: with thousands of scenarios, for seconds.
      if (!isLast && !isUnwritable(error)) return false;
      for (const { run, reject } of some) {
        this.lost.runs++;
        this.lost.uncounted++;
        this.drop({
          scenario: { environment: run.environment.name, title: run.observed.first.title },
          skipped: 0,
          missed: 1,
        });
        reject(error);
      }
      return true;
    }
  }
}
