import { type Health, verdicts } from '../../client/index.ts';
import type { ScenarioResult } from '../../runner/index.ts';

/** When a run showed something. */
export interface Look {
  /** Epoch, in ms. */
  readonly at: number;
  /** By a clock that can't be set, in ms: durations are differences of these. */
  readonly steady: number;
  /** The last look was long before: the change may have happened earlier. */
  readonly isAtMost?: boolean | undefined;
}

/** A yes-or-no state that changes only after enough contrary observations in a row. */
interface Hysteresis {
  readonly on: boolean;
  /** Contrary observations in a row. */
  readonly contrary: number;
  /** The first of them. */
  readonly contrarySince?: Look;
}

const off: Hysteresis = { on: false, contrary: 0 };

interface Observed {
  readonly state: Hysteresis;
  readonly since?: Look;
}

/** The state after one more observation; `since` is the first contrary observation where it flipped. */
function observe(state: Hysteresis, observed: boolean, at: Look, { downAfter, upAfter }: FlipRule): Observed {
  if (observed === state.on) return { state: { on: state.on, contrary: 0 } };
  const contrary = state.contrary + 1;
  const contrarySince = state.contrarySince ?? at;
  if (contrary < (state.on ? upAfter : downAfter)) return { state: { on: state.on, contrary, contrarySince } };
  return { state: { on: observed, contrary: 0 }, since: contrarySince };
}

/** A scenario's status after hysteresis; `pending` until a first run is judged, `skipped` while the environment
 * lacks what it needs, `unjudged` when no run could be judged for too long. */
export type Status = (typeof statuses)[number];

export const statuses = ['pending', 'up', 'degraded', 'down', 'skipped', 'unjudged'] as const;

/** The evidence of one run: the service's health, that the scenario could not run, or that it proved nothing. */
export type Evidence = Health | 'skipped' | 'unproven';

/** Two questions with separate hysteresis: is it down, and is it at least degraded? */
export interface Standing {
  readonly judged: boolean;
  readonly down: Hysteresis;
  readonly degraded: Hysteresis;
  /** When a run was last judged, by the steady clock. */
  readonly seen?: number;
  /** Start of the current series of runs that could not be judged; epoch, in ms. Absent if the last one could. */
  readonly unjudgedSince?: number;
  /** It can't run any more. */
  readonly skipped?: true;
  /** No run could be judged for too long: earlier knowledge no longer counts. */
  readonly unjudged?: true;
  /** It failed, and no run ever showed it up: where all is well, it may prove nothing. */
  readonly neverUp?: true;
}

export const unseen: Standing = { judged: false, down: off, degraded: off };

export interface FlipRule {
  readonly downAfter: number;
  readonly upAfter: number;
  /** How long no run may be judged before the scenario is `unjudged`, in ms; absent: at least 15 min, or three intervals. */
  readonly notJudgedAfterMs?: number;
}

/** From this interval on, one good run ends a failure: a second one would come too late. In ms. */
const RARE_MS = 600_000;

const QUARTER_MS = 900_000;

/** The rule for a scenario that runs every `intervalMs`. */
export function ruleFor(rule: FlipRule, intervalMs: number): Required<FlipRule> {
  const { downAfter, upAfter, notJudgedAfterMs = Math.max(QUARTER_MS, 3 * intervalMs) } = rule;
  return { downAfter, upAfter: intervalMs < RARE_MS ? upAfter : 1, notJudgedAfterMs };
}

/** A change of status. `since` is the time of the first contrary run, not of the one that decided. */
export interface Change {
  readonly from: Status;
  readonly to: Status;
  /** Epoch, in ms. */
  readonly since: number;
  /** The same by the steady clock. */
  readonly steady: number;
  /** The last look was long before. */
  readonly isAtMost?: true;
}

/** The states that open incidents: it is down, can't run any more, or can't be judged. */
export function isBadStatus(status: Status): boolean {
  return status === 'down' || status === 'skipped' || status === 'unjudged';
}

export function statusOf({ judged, down, degraded, skipped, unjudged }: Standing): Status {
  if (unjudged) return 'unjudged';
  if (skipped) return 'skipped';
  if (down.on) return 'down';
  if (degraded.on) return 'degraded';
  return judged ? 'up' : 'pending';
}

/** The standing after one more run, started `at`. A run that can't be judged neither continues nor interrupts a streak. */
export function judgeRun(
  standing: Standing,
  evidence: Evidence,
  look: Look,
  rule: Required<FlipRule>,
): { readonly standing: Standing; readonly change?: Change } {
  const { at } = look;
  if (evidence === 'unknown' || evidence === 'unproven' || evidence === 'skipped') {
    // A scenario that never proved anything has run, and nobody misses its proof.
    if (evidence === 'unproven' && !standing.judged)
      return changed(standing, standing.unjudged ? unseen : { ...unseen, skipped: true }, look);
    if (evidence === 'unproven' && standing.neverUp) return provingNothing(standing, look, rule);
    // After the clock was set back, the time counts from now on.
    const blind = { ...standing, unjudgedSince: Math.min(standing.unjudgedSince ?? at, at) };
    const isLong = at - blind.unjudgedSince >= rule.notJudgedAfterMs;
    // A scenario that is down and sometimes lacks data has not recovered.
    if (evidence === 'skipped' && (isLong || !standing.down.on))
      return changed(standing, { ...forgetting(blind), skipped: true }, look);
    return isLong && !standing.skipped
      ? changed(standing, { ...forgetting(blind), unjudged: true }, before(look, blind.unjudgedSince))
      : { standing: blind };
  }
  const down = observe(standing.down, evidence === 'down', look, rule);
  const degraded = observe(standing.degraded, evidence !== 'up', look, rule);
  const neverUp = evidence === 'down' && (!standing.judged || standing.neverUp === true);
  const states = { down: down.state, degraded: degraded.state };
  const next: Standing = { judged: true, ...states, seen: look.steady, ...(neverUp ? { neverUp } : {}) };
  return changed(standing, next, down.since ?? degraded.since ?? look);
}

/** A scenario that never passed, failed, and proves nothing again: the failure is over, and nobody misses its proof. */
function provingNothing(standing: Standing, look: Look, rule: FlipRule): ReturnType<typeof judgeRun> {
  if (standing.unjudged) return changed(standing, unseen, look);
  if (!standing.down.on) return { standing: { ...unseen, skipped: true } };
  const down = observe(standing.down, false, look, rule);
  if (down.state.on)
    return { standing: { ...standing, down: down.state, unjudgedSince: standing.unjudgedSince ?? look.at } };
  return changed(standing, unseen, down.since ?? look);
}

/** Whether it was down or slow is known no more. */
function forgetting({ skipped: _, unjudged: __, ...standing }: Standing): Standing {
  return { ...standing, down: off, degraded: off };
}

/** The moment of an earlier run, as far before as the calendar says. */
function before({ at, steady }: Look, earlier: number): Look {
  return { at: earlier, steady: steady - (at - earlier) };
}

function changed(previous: Standing, standing: Standing, look: Look): ReturnType<typeof judgeRun> {
  const from = statusOf(previous);
  const to = statusOf(standing);
  const isFlip = from !== to && !(from === 'pending' && (to === 'up' || to === 'skipped'));
  if (!isFlip) return { standing };
  const { at: since, steady, isAtMost } = look;
  return { standing, change: { from, to, since, steady, ...(isAtMost ? { isAtMost } : {}) } };
}

/** One attempt at a scenario, as far as judging needs it. */
type Attempt = Pick<ScenarioResult, 'verdict' | 'unproven' | 'lacksData'>;

/** The health that one run shows: its second attempt, if any, confirms or clears the first. */
export function healthOfRun(first: Attempt, second?: Attempt): Health {
  return verdicts[(second ?? first).verdict].health;
}

/** Whether the environment no longer has what the scenario needs; that nothing could be proved is not that. */
export function couldNotRun({ verdict, unproven, lacksData }: Attempt): boolean {
  return lacksData === true || (!verdicts[verdict].ran && !unproven);
}

/** The evidence of one run. */
export function evidenceOf(first: Attempt, second?: Attempt): Evidence {
  const last = second ?? first;
  if (couldNotRun(last)) return 'skipped';
  return last.unproven ? 'unproven' : healthOfRun(first, second);
}

/** The service-level indicator: only the first attempt counts. `undefined` if it was not judged. What is bad must be confirmed before anybody is alerted. */
export function indicatorOf(first: Attempt): 'good' | 'bad' | undefined {
  const { health } = verdicts[first.verdict];
  if (health === 'unknown') return undefined;
  return health === 'down' ? 'bad' : 'good';
}

/** Whether the first attempt failed and the second passed. */
export function passedOnRetry(first: Attempt, second?: Attempt): boolean {
  return second !== undefined && indicatorOf(first) === 'bad' && indicatorOf(second) === 'good';
}
