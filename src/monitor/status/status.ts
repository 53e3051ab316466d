import { healthOf, isShapeAlone, type ScenarioResult } from '../../run/index.ts';
import { type Health, verdicts } from '../../verdict/index.ts';

/** When a run showed something. */
export interface Look {
  /** Epoch, in ms. */
  readonly at: number;
  /** By a clock that can't be set, in ms: durations are differences of these. */
  readonly steady: number;
  /** The last look was long before: the change may have happened earlier. */
  readonly isAtMost?: boolean | undefined;
}

/**
 * A scenario's status: `pending` before the first run that shows something, `skipped` where it could never run, `unproven` where it never proved
 * anything, `unjudged` when it no longer can, or no run could be judged for too long.
 */
export type Status = (typeof statuses)[number];

export const statuses = ['pending', 'up', 'degraded', 'down', 'skipped', 'unproven', 'unjudged'] as const;

/**
 * The evidence of one run: the service's health, that the scenario could not run, that it proved nothing, or that nothing is wrong but the
 * shape of responses (`reshaped`), which counts from the second such run on.
 */
export type Evidence = Health | 'skipped' | 'unproven' | 'reshaped';

/** The monitor's knowledge of a scenario: it goes down, and up again, after enough contrary runs in a row. */
export interface Standing {
  readonly down: boolean;
  /** Contrary runs in a row. */
  readonly contrary: number;
  /** The first of them. */
  readonly contrarySince?: Look;
  /** Some run passed: what it proved is missed once it can't be proved any more. */
  readonly wasUp?: true;
  /** The last judged run was slow, or something that was learned no longer held; since when. Epoch, in ms. */
  readonly slowSince?: number;
  /** Whether it counts as degraded where that is notified: after enough slow runs in a row, until enough that are not. */
  readonly slow?: Pick<Standing, 'down' | 'contrary' | 'contrarySince'>;
  /** When a run was last judged, by the steady clock. */
  readonly seen?: number;
  /** Start of the current series of runs that could not be judged; epoch, in ms. Absent if the last one could. */
  readonly unjudgedSince?: number;
  /** The same by the steady clock. */
  readonly unjudgedSteady?: number;
  /** Whether it is down or up is not known. */
  readonly blind?: 'skipped' | 'unproven' | 'unjudged';
}

export const unseen: Standing = { down: false, contrary: 0 };

export interface FlipRule {
  readonly downAfter: number;
  readonly upAfter: number;
  /** How long no run may be judged before the scenario is `unjudged`, in ms; absent: at least 15 min, or three intervals. */
  readonly notJudgedAfterMs?: number;
  /** That it is degraded is notified, too. */
  readonly tellsDegraded?: boolean;
}

type FullRule = FlipRule & { readonly notJudgedAfterMs: number };

/** From this interval on, one good run ends a failure: a second one would come too late. In ms. */
const RARE_MS = 600_000;

const QUARTER_MS = 900_000;

/** The rule for a scenario that runs every `intervalMs`. */
export function ruleFor(rule: FlipRule, intervalMs: number): FullRule {
  const { upAfter, notJudgedAfterMs = Math.max(QUARTER_MS, 3 * intervalMs) } = rule;
  return { ...rule, upAfter: intervalMs < RARE_MS ? upAfter : 1, notJudgedAfterMs };
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

/** The states that open incidents: it is down, can't be judged, or is degraded where that is notified. */
export function isBadStatus(status: Status): boolean {
  return status === 'down' || status === 'unjudged' || status === 'degraded';
}

/** The status as flips have it: a scenario that becomes slow, or whose first status is good, is no news unless it is notified. */
export function notifiedStatus(standing: Standing): Status {
  const status = statusOf(standing);
  if (status !== 'up' && status !== 'degraded') return status;
  return standing.slow?.down ? 'degraded' : 'up';
}

export function statusOf({ blind, down, slowSince, wasUp }: Standing): Status {
  if (blind) return blind;
  if (down) return 'down';
  return slowSince !== undefined ? 'degraded' : wasUp ? 'up' : 'pending';
}

/** A rare kind of response may look otherwise once: so many runs in a row must show another shape. */
const RESHAPED_RUNS = 2;

/** One slow run is a pause of anybody's: so many in a row are notified. */
const SLOW_RUNS = 2;

/** The standing after one more run, started `at`. A run that can't be judged neither continues nor interrupts a streak. */
export function judgeRun(
  standing: Standing,
  evidence: Evidence,
  look: Look,
  rule: FullRule,
): { readonly standing: Standing; readonly change?: Change } {
  const { at, steady } = look;
  if (evidence !== 'skipped' && evidence !== 'unproven' && evidence !== 'unknown') {
    const isReshaped = evidence === 'reshaped';
    const isDown = evidence === 'down' || isReshaped;
    const downAfter = isReshaped ? Math.max(RESHAPED_RUNS, rule.downAfter) : rule.downAfter;
    const { since, ...state } = observed(standing, isDown, look, { ...rule, downAfter });
    const wasUp = standing.wasUp || !isDown || isReshaped ? ({ wasUp: true } as const) : {};
    const isDegraded = evidence === 'degraded' || (isReshaped && !state.down);
    const slow = isDegraded ? { slowSince: standing.slowSince ?? at } : {};
    const longest = Math.max(SLOW_RUNS, rule.downAfter);
    const told =
      rule.tellsDegraded && observed(standing.slow ?? unseen, isDegraded, look, { ...rule, downAfter: longest });
    const { since: slowLook, ...streak } = told || {};
    const kept = told ? { slow: streak as Standing } : {};
    return changed(standing, { ...state, ...wasUp, ...slow, ...kept, seen: steady }, since ?? slowLook ?? look);
  }
  if (standing.blind && standing.blind !== 'unjudged' && evidence === 'unknown') return { standing };
  const { unjudgedSince = at, unjudgedSteady = steady } = standing;
  const unjudged = { unjudgedSince, unjudgedSteady };
  const isNew = !standing.wasUp && !standing.down && standing.blind !== 'unjudged';
  if ((evidence === 'skipped' && isNew) || (evidence === 'unproven' && !standing.wasUp)) {
    // A scenario that has never proved anything may stay unproven.
    // If it failed meanwhile, the failure ends once the scenario is unproven again, which is its usual state.
    const { since = look, ...state } = observed(standing, false, look, rule);
    return state.down
      ? { standing: { ...standing, ...state, ...unjudged } }
      : changed(standing, { ...unseen, blind: evidence }, since);
  }
  const isLong = steady - unjudgedSteady >= rule.notJudgedAfterMs;
  // A scenario that is down and sometimes lacks data has not recovered.
  const isKnown = evidence === 'skipped' ? standing.down && !isLong : !isLong;
  if (isKnown) return { standing: { ...standing, ...unjudged } };
  const { slowSince: _, contrarySince: __, slow: ___, ...rest } = standing;
  const since = evidence === 'skipped' ? look : { at: unjudgedSince, steady: unjudgedSteady };
  return changed(standing, { ...rest, down: false, contrary: 0, ...unjudged, blind: 'unjudged' }, since);
}

/** Tells whether the scenario is down after one more run. If this run flips it, `since` is the first contrary run. */
function observed(
  { down, contrary, contrarySince }: Standing,
  isDown: boolean,
  look: Look,
  { downAfter, upAfter }: FlipRule,
): Pick<Standing, 'down' | 'contrary' | 'contrarySince'> & { readonly since?: Look } {
  if (isDown === down) return { down, contrary: 0 };
  const first = contrarySince ?? look;
  const isEnough = contrary + 1 >= (down ? upAfter : downAfter);
  return isEnough
    ? { down: isDown, contrary: 0, since: first }
    : { down, contrary: contrary + 1, contrarySince: first };
}

function changed(previous: Standing, standing: Standing, { at, steady, isAtMost }: Look): ReturnType<typeof judgeRun> {
  const [from, to] = [notifiedStatus(previous), notifiedStatus(standing)];
  if (from === to || !(isBadStatus(from) || isBadStatus(to))) return { standing };
  return { standing, change: { from, to, since: at, steady, ...(isAtMost ? { isAtMost } : {}) } };
}

/** One attempt at a scenario, as far as judging needs it. */
type Attempt = Pick<ScenarioResult, 'verdict' | 'unproven' | 'lacks' | 'failures'>;

/** Whether the environment no longer has what the scenario needs; that nothing could be proved is not that. */
export function couldNotRun({ verdict, unproven, lacks }: Attempt): boolean {
  return lacks === 'data' || (!verdicts[verdict].ran && !unproven);
}

/** The evidence of one run: its second attempt, if any, confirms or clears the first. */
export function evidenceOf(first: Attempt, second?: Attempt): Evidence {
  const last = second ?? first;
  if (couldNotRun(last)) return 'skipped';
  if (last.unproven) return 'unproven';
  return isShapeAlone(last) ? 'reshaped' : healthOf(last);
}

/** The health that a run shows, after which the scenario stands so. */
export function healthOfRun(evidence: Evidence, { down }: Standing): Health {
  if (evidence === 'reshaped') return down ? 'down' : 'degraded';
  return evidence === 'skipped' || evidence === 'unproven' ? 'unknown' : evidence;
}

/**
 * The service-level indicator: only the first attempt counts. `undefined` if it was not judged. What is bad must be confirmed before anybody is
 * alerted. Another shape alone is bad where the scenario is `down` after that run.
 */
export function indicatorOf(
  first: Attempt,
  { down }: Pick<Standing, 'down'> = { down: true },
): 'good' | 'bad' | undefined {
  const health = isShapeAlone(first) && !down ? 'degraded' : healthOf(first);
  if (health === 'unknown') return undefined;
  return health === 'down' ? 'bad' : 'good';
}

/** Whether the first attempt failed and the second passed. */
export function passedOnRetry(first: Attempt, second?: Attempt): boolean {
  return second !== undefined && indicatorOf(first) === 'bad' && indicatorOf(second) === 'good';
}
