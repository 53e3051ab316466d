import type { Clock } from './clock.ts';
import { afterFirst, due, type Plan, type Slot, slots } from './plan.ts';

interface Job {
  readonly intervalMs: number;
  /**
   * Runs the job; never called while a call is in progress. `planned` is an epoch, in ms. Must not throw. Resolves with after how many
   * ms it must run again, if that is before the next planned run.
   */
  run(planned: number): Promise<number | undefined>;
  /** Planned runs that didn't take place: the previous run was in progress, or the machine was suspended. */
  dropped(counts: { readonly skipped: number; readonly missed: number }): void;
}

interface Entry {
  readonly job: Job;
  /** Its place among the jobs that were given. */
  readonly index: number;
  readonly slot: Slot;
  plan: Plan;
  isFirst: boolean;
  isRunning: boolean;
}

const LOOK_MS = 1_000;

/** Starts jobs when they are due, by the monotonic clock, so that neither a suspension nor a clock change causes a burst. */
export class Scheduler {
  readonly pauses: SuspendDetector;
  readonly #clock: Clock;
  /** By the time at which they are due: thousands must not be looked at in each tick. */
  readonly #entries: Entry[];
  readonly #running = new Set<Promise<void>>();
  #cancel = () => {};
  #isStopped = false;

  constructor(clock: Clock, jobs: readonly Job[]) {
    this.#clock = clock;
    this.pauses = new SuspendDetector(clock);
    const now = clock.mono();
    const found = slots(jobs.map(({ intervalMs }) => intervalMs));
    this.#entries = jobs.map((job, index) => {
      const slot = found[index] as Slot;
      const plan = { intervalMs: job.intervalMs, next: now + slot.first };
      return { job, index, slot, plan, isFirst: true, isRunning: false };
    });
    this.#entries.sort((a, b) => a.plan.next - b.plan.next);
  }

  start(): void {
    this.#tick();
  }

  /** Makes jobs due now, by their place among those that were given. */
  soon(isChosen: (index: number) => boolean): void {
    const next = this.#clock.mono();
    for (const entry of this.#entries)
      if (isChosen(entry.index) && !entry.isRunning)
        entry.plan = { ...entry.plan, next: Math.min(entry.plan.next, next) };
    this.#entries.sort((a, b) => a.plan.next - b.plan.next);
  }

  /** Starts no further jobs, and waits for those in progress. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#cancel();
    await Promise.all(this.#running);
  }

  #tick(): void {
    const slept = this.pauses.look();
    if (slept > 0)
      for (const { job } of this.#entries) job.dropped({ skipped: 0, missed: Math.floor(slept / job.intervalMs) });
    const now = { wall: this.#clock.wall(), mono: this.#clock.mono() };
    const dueNow = this.#entries.splice(0, this.#placeOf(now.mono));
    for (const entry of dueNow) {
      this.#start(entry, now);
      this.#insert(entry);
    }
    const next = this.#entries[0]?.plan.next ?? Number.POSITIVE_INFINITY;
    if (this.#isStopped) return;
    this.#cancel = this.#clock.after(Math.min(LOOK_MS, Math.max(1, next - this.#clock.mono())), () => this.#tick());
  }

  /** Starts what is due, unless the previous run is in progress. */
  #start(entry: Entry, now: { readonly wall: number; readonly mono: number }): void {
    const found = due(entry.plan, now.mono);
    if (!found) return;
    entry.plan = entry.isFirst ? afterFirst(found, entry.slot) : found.plan;
    entry.isFirst = false;
    if (found.missed > 0 || entry.isRunning)
      entry.job.dropped({ skipped: entry.isRunning ? 1 : 0, missed: found.missed });
    if (entry.isRunning) return;
    entry.isRunning = true;
    const run = entry.job.run(now.wall - (now.mono - found.planned)).then((againMs) => {
      entry.isRunning = false;
      this.#running.delete(run);
      if (againMs === undefined) return;
      this.#entries.splice(this.#entries.indexOf(entry), 1);
      entry.plan = { ...entry.plan, next: Math.min(entry.plan.next, this.#clock.mono() + againMs) };
      this.#insert(entry);
    });
    this.#running.add(run);
  }

  #insert(entry: Entry): void {
    this.#entries.splice(this.#placeOf(entry.plan.next), 0, entry);
  }

  /** Behind all that are due up to `at`. */
  #placeOf(at: number): number {
    let [low, high] = [0, this.#entries.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#entries[middle] as Entry).plan.next <= at) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** A longer gap between two checks, or a larger clock change, is a pause: runs in progress prove nothing. */
const PAUSE_MS = 5_000;

/** Detects a suspended machine, a stopped process, and a changed clock. */
class SuspendDetector {
  readonly #clock: Clock;
  #wall: number;
  #mono: number;
  #count = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#wall = clock.wall();
    this.#mono = clock.mono();
  }

  /** Number of pauses so far; compare two readings to find a pause between them. */
  get count(): number {
    return this.#count;
  }

  /**
   * To be called every second.
   * @returns by how many ms wall-clock time ran ahead of monotonic time (which may not count a suspension), or 0.
   */
  look(): number {
    const wall = this.#clock.wall();
    const mono = this.#clock.mono();
    const ran = mono - this.#mono;
    const jump = wall - this.#wall - ran;
    this.#wall = wall;
    this.#mono = mono;
    if (ran > PAUSE_MS || Math.abs(jump) > PAUSE_MS) this.#count++;
    return jump > PAUSE_MS ? jump : 0;
  }
}
