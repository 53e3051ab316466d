import type { Health } from '../../client/index.ts';
import { type Hysteresis, observe, off } from './hysteresis.ts';

/** How a scenario stands after hysteresis; `pending` until a first run could be judged. */
export type Status = 'pending' | 'up' | 'degraded' | 'down';

/** Two questions, each with a hysteresis of its own: is it down, and is it at least degraded? */
export interface Standing {
  readonly judged: boolean;
  readonly down: Hysteresis;
  readonly degraded: Hysteresis;
  /** The first of the runs in a row that could not be judged; epoch, in ms. Absent when the last one could. */
  readonly blindSince?: number;
}

export const unseen: Standing = { judged: false, down: off, degraded: off };

export interface FlipRule {
  readonly downAfter: number;
  readonly upAfter: number;
}

/** A change of status. `since` is when it came about: the first contrary run, not the one that decided. */
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

/** One more run, which started `at`. What can't be judged neither continues nor breaks a row. */
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
