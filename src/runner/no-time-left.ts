/** Parts of the deadline that are kept for clean-up, and for what a command does after it. */
const CLEAN_UP = 0.2;
const OUTPUT = 0.04;
/** Output never takes longer, in ms. */
const MOST_OUTPUT_MS = 1_000;

/** When scenarios and clean-up must stop, in ms after the start. */
export function stopsOf(deadlineMs: number): { readonly stopMs: number; readonly endMs: number } {
  return {
    stopMs: deadlineMs * (1 - CLEAN_UP),
    endMs: deadlineMs - Math.min(MOST_OUTPUT_MS, Math.max(100, deadlineMs * OUTPUT)),
  };
}

/** Aborts the signal of a run whose time is up: what has not ended by then is skipped, and says nothing about the service. */
export class NoTimeLeft extends Error {
  override readonly name = 'NoTimeLeft';

  constructor() {
    super('no time left');
  }
}

/** Whether a run's signal was aborted because its time is up, and not by its user. */
export function isOutOfTime(signal: AbortSignal | undefined): boolean {
  return signal?.reason instanceof NoTimeLeft;
}

/** How far a scenario got that the end of the run's time kept from a verdict. */
export type Unreached = 'not started' | 'cut short';

/** The outcome of such a scenario. */
export function outOfTime(unreached: Unreached) {
  return { verdict: 'skipped', reason: new NoTimeLeft().message, unreached } as const;
}
