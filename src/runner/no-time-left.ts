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
