import type { Health } from '../../client/index.ts';
import { type Hysteresis, observe, off } from './hysteresis.ts';

/** A scenario's status after hysteresis; `pending` until a first run is judged. */
export type Status = 'pending' | 'up' | 'degraded' | 'down';

/** Two questions with separate hysteresis: is it down, and is it at least degraded? */
export interface Standing {
  readonly judged: boolean;
  readonly down: Hysteresis;
  readonly degraded: Hysteresis;
  /** Start of the current series of runs that could not be judged; epoch, in ms. Absent if the last one could. */
  readonly blindSince?: number;
}

export const unseen: Standing = { judged: false, down: off, degraded: off };

export interface FlipRule {
  readonly downAfter: number;
  readonly upAfter: number;
}

/** A change of status. `since` is the time of the first contrary run, not of the one that decided. */
export interface Change {
  readonly from: Status;
  readonly to: Status;
  readonly since: number;
}

export function statusOf({ judged, down, degraded }: Standing): Status {
  if (down.on) return 'down';
  if (degraded.on) return 'degraded';
  return judged ? 'up' : 'pending';
}

/** The standing after one more run, started `at`. A run that can't be judged neither continues nor interrupts a streak. */
export function judgeRun(
  standing: Standing,
  evidence: Health,
  at: number,
  { downAfter, upAfter }: FlipRule,
): { readonly standing: Standing; readonly change?: Change } {
  if (evidence === 'unknown') return { standing: { ...standing, blindSince: standing.blindSince ?? at } };
  const thresholds = { onAfter: downAfter, offAfter: upAfter };
  const down = observe(standing.down, evidence === 'down', at, thresholds);
  const degraded = observe(standing.degraded, evidence !== 'up', at, thresholds);
  const next: Standing = { judged: true, down: down.state, degraded: degraded.state };
  const from = statusOf(standing);
  const to = statusOf(next);
  const isFlip = from !== to && !(from === 'pending' && to === 'up');
  return { standing: next, ...(isFlip ? { change: { from, to, since: down.since ?? degraded.since ?? at } } : {}) };
}
