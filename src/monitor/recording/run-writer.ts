import type { Clock } from '../schedule/clock.ts';
import type { Flip } from '../status/flip.ts';
import type { RunRecorder } from './run-recorder.ts';
import type { FinishedRun } from './run-rows.ts';
import type { UnwrittenRuns } from './unwritten-runs.ts';

/** Between two writes, in ms: each waits for the disk, and everything else in this process waits with it. */
const PAUSE_MS = 250;

/** Runs of one transaction: with a flip each, some milliseconds. What is left has its turn after everything else. */
const AT_ONCE = 10;

interface Waiting {
  readonly run: FinishedRun;
  readonly resolve: (flip: Flip | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/** Writes runs down: at once, or, so soon after the last write, those of a moment in one transaction. */
export class RunWriter {
  readonly #recorder: Pick<RunRecorder, 'recordAll'>;
  readonly #unwritten: UnwrittenRuns;
  readonly #clock: Clock;
  readonly #waiting: Waiting[] = [];
  #last = Number.NEGATIVE_INFINITY;
  #cancel: (() => void) | undefined;
  #isEnded = false;

  constructor(recorder: Pick<RunRecorder, 'recordAll'>, unwritten: UnwrittenRuns, clock: Clock) {
    this.#recorder = recorder;
    this.#unwritten = unwritten;
    this.#clock = clock;
  }

  /** Resolves with the flip that the run caused, if any, after fsync; rejects when it can't be written. */
  write(run: FinishedRun): Promise<Flip | undefined> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ run, resolve, reject });
      const wait = this.#last + PAUSE_MS - this.#clock.mono();
      if (wait <= 0 || this.#isEnded) this.#flush();
      else this.#cancel ??= this.#clock.after(wait, () => this.#flush());
    });
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
    this.#writeAll(this.#waiting.splice(0, AT_ONCE));
    if (this.#waiting.length > 0 && !this.#isEnded) this.#cancel = this.#clock.after(1, () => this.#flush());
  }

  #writeAll(waiting: readonly Waiting[]): void {
    if (waiting.length > 1 && this.#writeTogether(waiting)) return;
    for (const { run, resolve, reject } of waiting) {
      try {
        resolve(this.#unwritten.record(refOf(run), () => this.#recorder.recordAll([run])[0]));
      } catch (error) {
        reject(error);
      }
    }
  }

  /** Whether it succeeded: what can't be written together is tried one by one, so that one alone is lost. */
  #writeTogether(waiting: readonly Waiting[]): boolean {
    try {
      const flips = this.#recorder.recordAll(waiting.map(({ run }) => run));
      for (const [index, { resolve }] of waiting.entries()) resolve(flips[index]);
      return true;
    } catch {
      return false;
    }
  }
}

function refOf({ environment, observed }: FinishedRun) {
  return { environment: environment.name, title: observed.first.title };
}
