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

/** The first round starts soon, one scenario after the other; later rounds are spread over the interval. */
export function firstPlans(intervalsMs: readonly number[], now: number): Plan[] {
  return intervalsMs.map((intervalMs, index) => ({
    intervalMs,
    next: now + Math.min(FIRST_STEP_MS * index, intervalMs / 2),
  }));
}

/** The plan after the first run, moved to the scenario's slot within its interval. */
export function spread({ next, intervalMs }: Plan, index: number, count: number): Plan {
  const place = (intervalMs * index) / count;
  const first = FIRST_STEP_MS * index;
  // Waiting a full interval after the first run would leave late slots without a run for up to two intervals.
  return { intervalMs, next: next - intervalMs + Math.max(place - first, 0) + (place <= first ? intervalMs : 0) };
}

const FIRST_STEP_MS = 50;
