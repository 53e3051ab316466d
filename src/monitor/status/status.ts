import type { Health } from '../../client/index.ts';
import { type Hysteresis, observe, off } from './hysteresis.ts';

/** A scenario's status after hysteresis; `pending` until a first run is judged, `skipped` while the environment lacks what it needs. */
export type Status = (typeof statuses)[number];

export const statuses = ['pending', 'up', 'degraded', 'down', 'skipped'] as const;

/** What one run shows: the health of the service, or that the scenario could not run. */
export type Evidence = Health | 'skipped';

/** Two questions with separate hysteresis: is it down, and is it at least degraded? */
export interface Standing {
  readonly judged: boolean;
  readonly down: Hysteresis;
  readonly degraded: Hysteresis;
  /** Start of the current series of runs that could not be judged; epoch, in ms. Absent if the last one could. */
  readonly blindSince?: number;
  /** It can't run any more. */
  readonly skipped?: true;
}

export const unseen: Standing = { judged: false, down: off, degraded: off };

export interface FlipRule {
  readonly downAfter: number;
  readonly upAfter: number;
}

/** From this interval on, one good run ends a failure: a second one would come too late. In ms. */
const RARE_MS = 600_000;

/** The rule for a scenario that runs every `intervalMs`. */
export function ruleFor<T extends FlipRule>(rule: T, intervalMs: number): T {
  return intervalMs < RARE_MS ? rule : { ...rule, upAfter: 1 };
}

/** A change of status. `since` is the time of the first contrary run, not of the one that decided. */
export interface Change {
  readonly from: Status;
  readonly to: Status;
  readonly since: number;
}

export function statusOf({ judged, down, degraded, skipped }: Standing): Status {
  // What was down and can't run any more has not recovered.
  if (down.on) return 'down';
  if (skipped) return 'skipped';
  if (degraded.on) return 'degraded';
  return judged ? 'up' : 'pending';
}

/** The standing after one more run, started `at`. A run that can't be judged neither continues nor interrupts a streak. */
export function judgeRun(
  standing: Standing,
  evidence: Evidence,
  at: number,
  { downAfter, upAfter }: FlipRule,
): { readonly standing: Standing; readonly change?: Change } {
  const blind = { ...standing, blindSince: standing.blindSince ?? at };
  if (evidence === 'unknown') return { standing: blind };
  if (evidence === 'skipped') return changed(standing, { ...blind, skipped: true }, at);
  const thresholds = { onAfter: downAfter, offAfter: upAfter };
  const down = observe(standing.down, evidence === 'down', at, thresholds);
  const degraded = observe(standing.degraded, evidence !== 'up', at, thresholds);
  const next: Standing = { judged: true, down: down.state, degraded: degraded.state };
  return changed(standing, next, down.since ?? degraded.since ?? at);
}

function changed(before: Standing, standing: Standing, since: number): ReturnType<typeof judgeRun> {
  const from = statusOf(before);
  const to = statusOf(standing);
  const isFlip = from !== to && !(from === 'pending' && (to === 'up' || to === 'skipped'));
  return { standing, ...(isFlip ? { change: { from, to, since } } : {}) };
}
