/** The plan of one scenario, in monotonic time, so that clock changes don't affect it. */
export interface Plan {
  readonly next: number;
  readonly intervalMs: number;
}

export interface Due {
  /** The planned time of the run that is due now. */
  readonly planned: number;
  /** Number of earlier planned runs that never started. */
  readonly missed: number;
  readonly plan: Plan;
}

/** The run that is due `now`, if any. A late start is still one run; those in between are missed. */
export function due({ next, intervalMs }: Plan, now: number): Due | undefined {
  if (now < next) return undefined;
  const missed = Math.floor((now - next) / intervalMs);
  const planned = next + missed * intervalMs;
  return { planned, missed, plan: { next: planned + intervalMs, intervalMs } };
}

/** When the runs of a job begin, in ms after the scheduler's start. */
export interface Slot {
  /** The first run: soon, so that every scenario has a status. */
  readonly first: number;
  /** The second, from which the plan goes on by the interval. */
  readonly second: number;
}

/**
 * A slot for each interval: first starts follow each other quickly, but none waits for longer than the shortest interval; from the second
 * on, the jobs of one interval divide it evenly. However many jobs there are, no moment has more starts than another.
 */
export function slots(intervalsMs: readonly number[]): Slot[] {
  const step = Math.min(FIRST_STEP_MS, Math.min(...intervalsMs) / intervalsMs.length);
  const counts = new Map<number, number>();
  for (const intervalMs of intervalsMs) counts.set(intervalMs, (counts.get(intervalMs) ?? 0) + 1);
  const taken = new Map<number, number>();
  return intervalsMs.map((intervalMs, index) => {
    const rank = taken.get(intervalMs) ?? 0;
    taken.set(intervalMs, rank + 1);
    const first = step * index;
    const place = (intervalMs * rank) / (counts.get(intervalMs) ?? 1);
    return { first, second: place + intervalMs * Math.ceil((first + intervalMs / 4 - place) / intervalMs) };
  });
}

/** The plan of what was started for the first time: its second run, a quarter of an interval later at the least. */
export function afterFirst({ planned, plan: { intervalMs } }: Due, { first, second }: Slot): Plan {
  return { intervalMs, next: planned + second - first };
}

const FIRST_STEP_MS = 50;
