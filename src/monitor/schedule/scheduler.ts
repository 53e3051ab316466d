import { type Clock, repeat } from './clock.ts';

interface Job {
  readonly intervalMs: number;
  /**
   * Runs the job; never called while a call is in progress. `planned` is an epoch, in ms. Must not throw. Resolves with after how many
   * ms it must run again, if that is before the next planned run.
   */
  run(planned: number): Promise<number | undefined>;
}

interface Entry {
  readonly job: Job;
  /** When it runs next, by the monotonic clock. */
  next: number;
  isRunning: boolean;
  cancel: () => void;
}

const LOOK_MS = 1_000;

/** The time between two first starts, in ms: every scenario soon has a status, and starts stay spread. */
const STEP_MS = 200;

/** A longer gap between two looks, or a larger clock change, is a pause: runs in progress prove nothing. */
const PAUSE_MS = 5_000;

/** Starts jobs when they are due, by the monotonic clock, so that neither a suspension nor a clock change causes a burst. */
export class Scheduler {
  readonly #clock: Clock;
  readonly #entries: readonly Entry[];
  readonly #running = new Set<Promise<void>>();
  #isStopped = false;
  #stopLooking = () => {};
  #seen: { readonly wall: number; readonly mono: number };
  #pauses = 0;

  constructor(clock: Clock, jobs: readonly Job[]) {
    this.#clock = clock;
    this.#seen = { wall: clock.wall(), mono: clock.steady() };
    const now = clock.steady();
    const step = Math.min(STEP_MS, Math.min(...jobs.map(({ intervalMs }) => intervalMs)) / jobs.length);
    this.#entries = jobs.map((job, index) => ({ job, next: now + index * step, isRunning: false, cancel: () => {} }));
  }

  /** Number of pauses so far; compare two readings to find a pause between them. */
  get pauses(): number {
    // A pause may be detected before the next look.
    this.#look();
    return this.#pauses;
  }

  start(): void {
    this.#stopLooking = repeat(this.#clock, LOOK_MS, () => this.#look());
    for (const entry of this.#entries) this.#wait(entry);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#stopLooking();
    for (const { cancel } of this.#entries) cancel();
    await Promise.all(this.#running);
  }

  /** Detects a suspended machine, a stopped process, and a changed clock; every second, or more often. */
  #look(): void {
    const [wall, mono] = [this.#clock.wall(), this.#clock.steady()];
    const ran = mono - this.#seen.mono;
    // By how much wall-clock time ran ahead of monotonic time, which may not count a suspension.
    const jump = wall - this.#seen.wall - ran;
    this.#seen = { wall, mono };
    if (ran > PAUSE_MS || Math.abs(jump) > PAUSE_MS) this.#pauses++;
  }

  #wait(entry: Entry): void {
    if (this.#isStopped) return;
    entry.cancel();
    entry.cancel = this.#clock.after(Math.max(0, entry.next - this.#clock.steady()), () => this.#start(entry));
  }

  /** Starts what is due, unless the previous run is in progress. */
  #start(entry: Entry): void {
    // A timer may come a moment early, and after a suspension before the look that finds it.
    this.#look();
    const now = this.#clock.steady();
    const { job } = entry;
    if (now < entry.next) {
      this.#wait(entry);
      return;
    }
    // A late start is still one run.
    const planned = now - ((now - entry.next) % job.intervalMs);
    entry.next = planned + job.intervalMs;
    this.#wait(entry);
    if (entry.isRunning) return;
    entry.isRunning = true;
    const run = job.run(this.#clock.wall() - (now - planned)).then((againMs) => {
      entry.isRunning = false;
      this.#running.delete(run);
      if (againMs === undefined) return;
      entry.next = Math.min(entry.next, this.#clock.steady() + againMs);
      this.#wait(entry);
    });
    this.#running.add(run);
  }
}
