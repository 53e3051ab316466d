import { type Clock, repeat } from './clock.ts';

export interface Job {
  readonly intervalMs: number;
  /**
   * Runs the job; never called while a call is in progress. `planned` is an epoch, in ms. Must not throw. Resolves with after how many
   * ms it must run again, if that is before the next planned run.
   */
  readonly run: (planned: number) => Promise<number | undefined>;
}

const LOOK_MS = 1_000;

/** The time between two first starts, in ms: every scenario soon has a status, and starts stay spread. */
const STEP_MS = 200;

/** A longer gap between two looks, or a larger clock change, is a pause: runs in progress prove nothing. */
const PAUSE_MS = 5_000;

/** Starts jobs when they are due, by the monotonic clock, so that neither a suspension nor a clock change causes a burst. */
export class Scheduler {
  readonly #clock: Clock;
  readonly #jobs: readonly Job[];
  /** Jobs that wait: begin one at once, or not at all. */
  readonly #waiting = new Map<Job, { readonly hurry: () => void; readonly cancel: () => void }>();
  readonly #running = new Set<Promise<unknown>>();
  #isStopped = false;
  #stopLooking = () => {};
  #seen: { readonly wall: number; readonly mono: number };
  #pauses = 0;

  constructor(clock: Clock, jobs: readonly Job[]) {
    this.#clock = clock;
    this.#jobs = jobs;
    this.#seen = { wall: clock.wall(), mono: clock.steady() };
  }

  /** Number of pauses so far; compare two readings to find a pause between them. */
  get pauses(): number {
    // A pause may be detected before the next look.
    this.#look();
    return this.#pauses;
  }

  start(): void {
    this.#stopLooking = repeat(this.#clock, LOOK_MS, () => this.#look());
    const step = Math.min(STEP_MS, Math.min(...this.#jobs.map(({ intervalMs }) => intervalMs)) / this.#jobs.length);
    const now = this.#clock.steady();
    for (const [index, job] of this.#jobs.entries()) void this.#repeat(job, now + index * step);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#stopLooking();
    for (const { cancel } of this.#waiting.values()) cancel();
    this.#waiting.clear();
    await Promise.all(this.#running);
  }

  /** Runs a job now, and then as planned; false if it is running. */
  hurry(job: Job): boolean {
    const waiting = this.#waiting.get(job);
    waiting?.hurry();
    return waiting !== undefined;
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

  /** Runs a job, first at `first` by the monotonic clock. */
  async #repeat(job: Job, first: number): Promise<void> {
    const { intervalMs, run } = job;
    let next = first;
    while (!this.#isStopped) {
      const isHurried = await new Promise<boolean>((resolve) => {
        const cancel = this.#clock.after(Math.max(0, next - this.#clock.steady()), () => resolve(false));
        const hurry = () => {
          cancel();
          resolve(true);
        };
        this.#waiting.set(job, { cancel, hurry });
      });
      // After a suspension, the timer may come before the look that finds it.
      this.#look();
      const now = this.#clock.steady();
      // A timer may come a moment early.
      if (now < next && !isHurried) continue;
      this.#waiting.delete(job);
      const running = run(this.#clock.wall() - Math.max(0, now - next));
      this.#running.add(running);
      const againMs = (await running) ?? intervalMs;
      this.#running.delete(running);
      // A late start is still one run, and what was planned during the run is left out.
      const ended = this.#clock.steady();
      const leftMs = ended < next ? next - ended : intervalMs - ((ended - next) % intervalMs);
      next = ended + Math.min(againMs, leftMs);
    }
  }
}
