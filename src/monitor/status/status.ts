import { healthOf, isShapeAlone, type ScenarioResult } from '../../run/index.ts';
import { type Health, verdicts } from '../../verdict/index.ts';

/** When a run took place. */
export interface Look {
  /** Epoch, in ms. */
  readonly at: number;
  /** The same moment by a clock that nobody can set, in ms. Durations are computed from it. */
  readonly steady: number;
  /**
   * Whether the previous judged run was long before this one, or there was none. A recovery that this run shows may then have happened much earlier,
   * so the notice says that the failure lasted *at most* so long.
   */
  readonly isAtMost?: boolean | undefined;
}

/**
 * A scenario's status. `pending`: no run has been judged yet. `skipped`: it could never run here. `unproven`: it never proved anything here.
 * `unjudged`: it can no longer run or prove anything, or no run could be judged for too long.
 */
export type Status = (typeof statuses)[number];

export const statuses = ['pending', 'up', 'degraded', 'down', 'skipped', 'unproven', 'unjudged'] as const;

/**
 * The evidence of one run: the service's health; `skipped` if the scenario could not run; `unproven` if it proved nothing; `reshaped` if only the
 * shape of responses is wrong, which counts as a failure from the second such run in a row on.
 */
export type Evidence = Health | 'skipped' | 'unproven' | 'reshaped';

/** The monitor's knowledge of a scenario. The scenario goes down, and up again, after enough contrary runs in a row. */
export interface Standing {
  readonly down: boolean;
  /** How many runs in a row contradicted `down`. */
  readonly contrary: number;
  /** The first run of this streak. */
  readonly contrarySince?: Look;
  /** Some run has shown that the scenario works here, so the monitor notifies when it can no longer be judged. */
  readonly wasUp?: true;
  /**
   * Start of the current series of degraded runs: they were slow, or showed drift that breaks no consumer. Epoch, in ms; absent if the last judged
   * run was not degraded.
   */
  readonly slowSince?: number;
  /** Whether the scenario counts as degraded for notices, if NOTIFY_ON asks for them: after enough degraded runs in a row, until enough others. */
  readonly slow?: Pick<Standing, 'down' | 'contrary' | 'contrarySince'>;
  /** When a run was last judged, by the steady clock, in ms. */
  readonly seen?: number;
  /** Start of the current series of runs that could not be judged; epoch, in ms. Absent if the last run could be judged. */
  readonly unjudgedSince?: number;
  /** `unjudgedSince` by the steady clock, in ms. */
  readonly unjudgedSteady?: number;
  /** Why nobody knows whether the scenario is up or down; absent if that is known. */
  readonly blind?: 'skipped' | 'unproven' | 'unjudged';
}

export const unseen: Standing = { down: false, contrary: 0 };

export interface FlipRule {
  readonly downAfter: number;
  readonly upAfter: number;
  /** The scenario is `unjudged` after this time without a judged run, in ms; default: 15 min or three intervals, whichever is longer. */
  readonly notJudgedAfterMs?: number;
  /** The monitor also notifies of degraded scenarios. */
  readonly notifiesDegraded?: boolean;
}

type FullRule = FlipRule & { readonly notJudgedAfterMs: number };

/** If the interval is at least this long, one good run ends a failure, because a second one would come too late; in ms. */
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
  /** `since` by the steady clock, in ms. */
  readonly steady: number;
  /** The last judged run was long before, so the change may have happened earlier. */
  readonly isAtMost?: true;
}

/** Whether a status opens an incident: down, can't be judged, or degraded if NOTIFY_ON asks for that. */
export function isBadStatus(status: Status): boolean {
  return status === 'down' || status === 'unjudged' || status === 'degraded';
}

/**
 * The status that flips record. A scenario counts as `degraded` only if NOTIFY_ON asks for that, and after enough degraded runs; otherwise it counts
 * as `up`.
 */
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

/** How many runs in a row must show another shape before it counts as a failure: a rare kind of response may look different once. */
const RESHAPED_RUNS = 2;

/** How many degraded runs in a row are notified at least: a single slow run may be a pause on any machine. */
const SLOW_RUNS = 2;

/** The standing after one more run, and the change of status, if any. A run that can't be judged neither continues nor interrupts a streak. */
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
      rule.notifiesDegraded && observed(standing.slow ?? unseen, isDegraded, look, { ...rule, downAfter: longest });
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

/** Whether the scenario is down after one more run. If this run flips the scenario, `since` is the first contrary run. */
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

/** The fields of an attempt at a scenario that judging needs. */
type Attempt = Pick<ScenarioResult, 'verdict' | 'unproven' | 'lacks' | 'failures'>;

/** Whether the scenario could not run, for instance because test data is missing. A scenario that ran without proving anything could run. */
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

/** The health that a run shows; `down` is the scenario's state after that run. */
export function healthOfRun(evidence: Evidence, { down }: Standing): Health {
  if (evidence === 'reshaped') return down ? 'down' : 'degraded';
  return evidence === 'skipped' || evidence === 'unproven' ? 'unknown' : evidence;
}

/**
 * The service-level indicator of a run: only the first attempt counts, although alerts need a confirmed failure. `undefined` if the first attempt was
 * not judged. If only the shape of its responses is wrong, it is bad only if the scenario is `down` after the run.
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
