import { type Clock, repeat } from './clock.ts';

export interface Job {
  readonly intervalMs: number;
  /**
   * Runs the job. This function must not throw, and the scheduler never calls it while an earlier call is in progress. `planned` is an
   * epoch, in ms. If the job must run again before its next planned run, resolves to the time until then, in ms.
   */
  readonly run: (planned: number) => Promise<number | undefined>;
}

const LOOK_MS = 1_000;

/**
 * Time between the first start of one job and that of the next, in ms. It is short, so that every scenario soon has a status, but long
 * enough to spread the load.
 */
const STEP_MS = 200;

/**
 * In ms. If nobody called `#look` for longer than this, or if the clock jumped by more than this, there was a pause. Runs during a pause
 * prove nothing.
 */
const PAUSE_MS = 5_000;

/**
 * Starts jobs when they are due on the monotonic clock. So there is no burst of runs after a suspension, or after somebody has set the
 * clock.
 */
export class Scheduler {
  readonly #clock: Clock;
  readonly #jobs: readonly Job[];
  /** The jobs that wait, each with a function that starts it at once and one that cancels it. */
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

  /** Number of pauses so far. If two calls return different numbers, there was a pause in between. */
  get pauses(): number {
    // A pause may have happened since the timer last called `#look`.
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

  /** Runs a job now, and afterwards as planned; returns false if the job is running already. */
  hurry(job: Job): boolean {
    const waiting = this.#waiting.get(job);
    waiting?.hurry();
    return waiting !== undefined;
  }

  /** Detects a suspended machine, a stopped process, and a changed clock. It is called every second, or more often. */
  #look(): void {
    const [wall, mono] = [this.#clock.wall(), this.#clock.steady()];
    const ran = mono - this.#seen.mono;
    // How much further than the monotonic clock the wall clock has moved: the monotonic clock may stand still during a suspension.
    const jump = wall - this.#seen.wall - ran;
    this.#seen = { wall, mono };
    if (ran > PAUSE_MS || Math.abs(jump) > PAUSE_MS) this.#pauses++;
  }

  /** Runs a job again and again. The first run is at `first`, a time on the monotonic clock, in ms. */
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
      // After a suspension, this timer may fire before the timer that calls `#look`, so call it here, too.
      this.#look();
      const now = this.#clock.steady();
      // A timer may fire a moment early.
      if (now < next && !isHurried) continue;
      this.#waiting.delete(job);
      const running = run(this.#clock.wall() - Math.max(0, now - next));
      this.#running.add(running);
      const againMs = (await running) ?? intervalMs;
      this.#running.delete(running);
      // The next run is at the next planned time, or `againMs` from now if that is earlier. Planned times that passed while this run was
      // late or in progress are left out.
      const ended = this.#clock.steady();
      const leftMs = ended < next ? next - ended : intervalMs - ((ended - next) % intervalMs);
      next = ended + Math.min(againMs, leftMs);
    }
  }
}
