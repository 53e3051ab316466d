/** The run of a job that is due `now`, if any; in monotonic time, so that clock changes don't affect it. A late start is still one run; those planned before it are missed. */
export function due(next: number, intervalMs: number, now: number) {
  if (now < next) return undefined;
  const missed = Math.floor((now - next) / intervalMs);
  return { planned: next + missed * intervalMs, missed };
}

/** When the runs of a job begin, in ms after the scheduler's start. */
export interface Slot {
  /** The first run: soon, so that every scenario has a status. */
  readonly first: number;
  /** The second, a quarter of an interval later at the least; from it the plan goes on by the interval. */
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

const FIRST_STEP_MS = 50;
