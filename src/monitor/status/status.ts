import { healthOf, isShapeAlone, type ScenarioResult } from '../../run/index.ts';
import { type Health, verdicts } from '../../verdict/index.ts';

/** When a run took place. */
export interface Look {
  /** Epoch, in ms. */
  readonly at: number;
  /** The moment `at` on the monotonic clock, which nobody can set, in ms. Durations are computed from it. */
  readonly steady: number;
  /**
   * True if the last judged run before this one was long ago, or there was none. A recovery may then have happened long before this run
   * shows it, so the notice says that the failure lasted *at most* so long.
   */
  readonly isAtMost?: boolean | undefined;
}

/**
 * A scenario's status. `pending`: no run has been judged yet. `skipped`: the scenario could never run here. `unproven`: it has run, but
 * never proved anything here. `unjudged`: it can no longer run or prove anything, or no run could be judged for too long.
 */
export type Status = (typeof statuses)[number];

export const statuses = ['pending', 'up', 'degraded', 'down', 'skipped', 'unproven', 'unjudged'] as const;

/**
 * The evidence of one run: the service's health; `skipped` if the scenario could not run; `unproven` if it proved nothing; `reshaped` if only
 * the shape of responses is wrong. Two `reshaped` runs in a row count as a failure.
 */
export type Evidence = Health | 'skipped' | 'unproven' | 'reshaped';

/** The monitor's knowledge of a scenario. `down` changes if enough runs in a row contradict it. */
export interface Standing {
  readonly down: boolean;
  /** How many of the last runs in a row contradict the value of `down`. */
  readonly contrary: number;
  /** The first of the last runs in a row that contradict the value of `down`. */
  readonly contrarySince?: Look;
  /**
   * True if some run has shown that the scenario works here. Only then does the monitor send a notice if the scenario can no longer be
   * judged.
   */
  readonly wasUp?: true;
  /**
   * Start of the current series of degraded runs, which were slow, or showed a drift that breaks no consumer. Epoch, in ms; absent if the
   * last judged run was not degraded.
   */
  readonly slowSince?: number;
  /**
   * Set if NOTIFY_ON asks for notices about degraded scenarios. Its `down` becomes true after enough degraded runs in a row, and false
   * after enough runs in a row that are not degraded.
   */
  readonly slow?: Pick<Standing, 'down' | 'contrary' | 'contrarySince'>;
  /** When a run was last judged, on the monotonic clock, in ms. */
  readonly seen?: number;
  /** Start of the current series of runs that could not be judged; epoch, in ms. Absent if the last run could be judged. */
  readonly unjudgedSince?: number;
  /** `unjudgedSince` on the monotonic clock, in ms. */
  readonly unjudgedSteady?: number;
  /** Why the monitor doesn't know whether the scenario is up or down; absent if the monitor knows that. */
  readonly blind?: 'skipped' | 'unproven' | 'unjudged';
}

export const unseen: Standing = { down: false, contrary: 0 };

export interface FlipRule {
  readonly downAfter: number;
  readonly upAfter: number;
  /** The scenario is `unjudged` after this time without a judged run, in ms; default: 15 min or three intervals, whichever is longer. */
  readonly notJudgedAfterMs?: number;
  /** True if the monitor also sends notices about degraded scenarios. */
  readonly notifiesDegraded?: boolean;
}

type FullRule = FlipRule & { readonly notJudgedAfterMs: number };

/** If the interval is at least this long, one good run ends a failure, because waiting for a second one would take too long; in ms. */
const RARE_MS = 600_000;

const QUARTER_MS = 900_000;

/** The rule for a scenario that runs every `intervalMs`. */
export function ruleFor(rule: FlipRule, intervalMs: number): FullRule {
  const { upAfter, notJudgedAfterMs = Math.max(QUARTER_MS, 3 * intervalMs) } = rule;
  return { ...rule, upAfter: intervalMs < RARE_MS ? upAfter : 1, notJudgedAfterMs };
}

/**
 * A change of status. `since` is the time of the first run that contradicted the old status. The run that decided the change may be later.
 */
export interface Change {
  readonly from: Status;
  readonly to: Status;
  /** Epoch, in ms. */
  readonly since: number;
  /** `since` on the monotonic clock, in ms. */
  readonly steady: number;
  /** The last judged run before this change was long ago, so the status may have changed earlier. */
  readonly isAtMost?: true;
}

/** Whether a status opens an incident. A status is `degraded` only with NOTIFY_ON=degraded (see `notifiedStatus`). */
export function isBadStatus(status: Status): boolean {
  return status === 'down' || status === 'unjudged' || status === 'degraded';
}

/**
 * The status that notices report. It is `degraded` only if NOTIFY_ON asks for that, and enough runs in a row were degraded. Otherwise,
 * notices report a degraded scenario as `up`.
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

/**
 * How many runs in a row must see a wrong shape before the monitor takes it for a failure. A single run with a wrong shape may have met a
 * rare kind of response.
 */
const RESHAPED_RUNS = 2;

/** Least number of degraded runs in a row before a notice. A single slow run may only show that this machine paused. */
const SLOW_RUNS = 2;

/**
 * Returns the scenario's state after one more run, and its change of status, if any. A run that can't be judged neither continues nor
 * interrupts a series of runs.
 */
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
    // The scenario has never worked here, so `unproven` or `skipped` is its usual state. If it failed in the meantime, enough `unproven` or
    // `skipped` runs in a row end the failure.
    const { since = look, ...state } = observed(standing, false, look, rule);
    return state.down
      ? { standing: { ...standing, ...state, ...unjudged } }
      : changed(standing, { ...unseen, blind: evidence }, since);
  }
  const isLong = steady - unjudgedSteady >= rule.notJudgedAfterMs;
  // Lacking test data for a short time doesn't show that a scenario that is down has recovered, so it stays down.
  const isKnown = evidence === 'skipped' ? standing.down && !isLong : !isLong;
  if (isKnown) return { standing: { ...standing, ...unjudged } };
  const { slowSince: _, contrarySince: __, slow: ___, ...rest } = standing;
  const since = evidence === 'skipped' ? look : { at: unjudgedSince, steady: unjudgedSteady };
  return changed(standing, { ...rest, down: false, contrary: 0, ...unjudged, blind: 'unjudged' }, since);
}

/**
 * Judges whether the scenario is down after one more run. If this run changes the answer, `since` is the first of the runs in a row that
 * contradicted the old answer.
 */
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

/** The fields of an attempt that the functions below need. */
type Attempt = Pick<ScenarioResult, 'verdict' | 'unproven' | 'lacks' | 'failures'>;

/** Whether the scenario could not run, for instance because test data is missing. False for a scenario that ran and proved nothing. */
export function couldNotRun({ verdict, unproven, lacks }: Attempt): boolean {
  return lacks === 'data' || (!verdicts[verdict].ran && !unproven);
}

/** The evidence of one run. If there is a second attempt, it decides, because it confirms or refutes the failure of the first. */
export function evidenceOf(first: Attempt, second?: Attempt): Evidence {
  const last = second ?? first;
  if (couldNotRun(last)) return 'skipped';
  if (last.unproven) return 'unproven';
  return isShapeAlone(last) ? 'reshaped' : healthOf(last);
}

/** The health of the service that a run shows. `down` is the scenario's state after that run. */
export function healthOfRun(evidence: Evidence, { down }: Standing): Health {
  if (evidence === 'reshaped') return down ? 'down' : 'degraded';
  return evidence === 'skipped' || evidence === 'unproven' ? 'unknown' : evidence;
}

/**
 * The service-level indicator of a run. Only the first attempt determines it, although alerts need a confirmed failure. `undefined` if the
 * first attempt could not be judged. If only the shape of its responses is wrong, the indicator is bad only if the scenario is `down` after
 * the run.
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
