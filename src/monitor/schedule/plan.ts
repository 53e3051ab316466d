/** What is planned of one scenario. Times are the monotonic clock's: no jump of the calendar moves them. */
export interface Plan {
  readonly next: number;
  readonly intervalMs: number;
}

export interface Due {
  /** When the run that is due now was planned. */
  readonly planned: number;
  /** How many before it passed without being started. */
  readonly missed: number;
  readonly plan: Plan;
}

/** Whether a run is due `now`. However late it is, it is one run: what passed in between was missed. */
export function due({ next, intervalMs }: Plan, now: number): Due | undefined {
  if (now < next) return undefined;
  const missed = Math.floor((now - next) / intervalMs);
  const planned = next + missed * intervalMs;
  return { planned, missed, plan: { next: planned + intervalMs, intervalMs } };
}

/** The first round comes soon, one start after the other; from then on starts are spread over the whole interval. */
export function firstPlans(intervalsMs: readonly number[], now: number): Plan[] {
  return intervalsMs.map((intervalMs, index) => ({
    intervalMs,
    next: now + Math.min(FIRST_STEP_MS * index, intervalMs / 2),
  }));
}

/** The plan after the first run: moved to the scenario's place within its interval. */
export function spread({ next, intervalMs }: Plan, index: number, count: number): Plan {
  const place = (intervalMs * index) / count;
  const first = FIRST_STEP_MS * index;
  // At least an interval after the first run would leave late places unwatched for up to two.
  return { intervalMs, next: next - intervalMs + Math.max(place - first, 0) + (place <= first ? intervalMs : 0) };
}

const FIRST_STEP_MS = 50;
