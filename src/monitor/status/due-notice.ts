import { addressesOf, type Cause, widthOf } from '../../run/index.ts';
import type { Flip } from './flip.ts';
import { type Leaving, leavingOf, type Member, type Notified } from './incident.ts';

/**
 * down: a scenario failed · more: further scenarios failed for the same cause · still: a reminder · up: every scenario has recovered, or
 * left the incident in another way.
 */
export type NoticeKind = 'down' | 'more' | 'still' | 'up';

export interface NotificationPolicy {
  readonly remindAfterMs: number;
  /** How long to wait for further scenarios that fail, in ms, so that one notice can name all of them. */
  readonly gatherMs: number;
}

/** The time and the state of the monitor, from which `dueNotice` decides whether a notice is due. */
export interface Moment {
  /** The current time on the monotonic clock, in ms. */
  readonly now: number;
  /**
   * Id of the last change of status before somebody acknowledged the incident: the acknowledgement covers all changes up to this one. 0
   * without an acknowledgement.
   */
  readonly acknowledged: number;
  /** Returns how often, within the last `FLAPPING_MS`, the route got a notice that the cause has ended. */
  readonly recoveries: () => number;
  /** Whether an environment is in maintenance, so that notices about it are withheld. */
  readonly isQuiet: (environment: string) => boolean;
  readonly isMonitored: (scenario: Flip['scenario']) => boolean;
  readonly isUp: (scenario: Flip['scenario']) => boolean;
}

/** A notice that is due, because the incident has changed since the route's last notice, or because a reminder is due. */
export interface DueNotice {
  readonly kind: NoticeKind;
  /**
   * The scenarios that are still in the incident, and not in maintenance. The list begins with those that no earlier notice to the route
   * reported.
   */
  readonly open: readonly Flip[];
  /** How many of the scenarios in `open` no earlier notice to the route reported. */
  readonly news: number;
  /** Scenarios that have left the incident since the first notice. */
  readonly ended: readonly Ended[];
}

export interface Ended {
  readonly hit: Flip;
  readonly leave: Flip;
  readonly how: Leaving;
}

/** If a cause ends repeatedly within this time, in ms, it is flapping. */
export const FLAPPING_MS = 21_600_000;

/**
 * Within `FLAPPING_MS`, the route gets notices about this many ends of a cause without delay. A notice about a further end waits for
 * `holdMs`.
 */
const TOLD_AT_ONCE = 2;

const SHORTEST_HOLD_MS = 300_000;

/**
 * A scenario that was reported as recovered may fail again while other scenarios are still down. The notice about that waits at least this
 * long after the route's last notice; in ms.
 */
const REPEAT_MS = 3_600_000;

/**
 * How long all scenarios must work before the route gets a notice about the recovery, in ms. The more often the cause has ended before, the
 * longer the wait.
 */
function holdMs(recoveries: number): number {
  const beyond = recoveries - TOLD_AT_ONCE;
  return beyond < 0 ? 0 : Math.min(FLAPPING_MS, SHORTEST_HOLD_MS * 8 ** beyond);
}

/**
 * Returns the notice about an incident that the route must get now, if any. `members` are the scenarios of the incident that concern the
 * route. `notified` is the record of earlier notices to the route.
 */
export function dueNotice(
  members: readonly Member[],
  notified: Notified | undefined,
  moment: Moment,
  policy: NotificationPolicy,
): DueNotice | undefined {
  const { now, isQuiet, acknowledged } = moment;
  const isAudible = ({ hit }: Pick<Member, 'hit'>) => !isQuiet(hit.scenario.environment);
  const open = members.filter(({ leave }) => !leave);
  const heard = open.filter(isAudible);
  const audible = heard.map(({ hit }) => hit);
  if (!notified || notified.isOver)
    return audible.length === 0 ? undefined : { kind: 'down', open: audible, news: audible.length, ended: [] };
  const left = members.flatMap((member) => endedOf(member, moment, notified));
  // If an environment is in maintenance, and the route got no notice about any of its failures, the environment must not delay the notice
  // that another environment has recovered.
  const knownMembers = new Set(
    Object.entries(notified.said).flatMap(([place, { isBack }]) => (isBack ? [] : place.split(' ')[0])),
  );
  const isDown = open.some((member) => isAudible(member) || knownMembers.has(member.hit.scenario.environment));
  if (!isDown) {
    const lastLeft = Math.max(...left.map(({ leave }) => leave.steady));
    const isBelieved = left.some(isAudible) && now >= lastLeft + holdMs(moment.recoveries());
    // The recovery notice also names the scenarios that left without recovering, including those in maintenance.
    return isBelieved ? { kind: 'up', open: [], news: 0, ended: left } : undefined;
  }
  if (audible.length === 0) return undefined;
  const { known: old = [], back = [], new: unheard = [] } = Object.groupBy(heard, (member) => newsIn(member, notified));
  const news = unheard.length + back.length;
  // While the cause flaps, notices leave out a recovery until `holdMs` have passed.
  const isKnown = ({ how, leave }: Ended) => !isBack(how) || now >= leave.steady + holdMs(moment.recoveries());
  const ended = left.filter(isAudible).filter(isKnown);
  const all = { open: [...unheard, ...back, ...old].map(({ hit }) => hit), ended };
  const waitMs = unheard.length > 0 ? policy.gatherMs : Math.max(REPEAT_MS, policy.gatherMs);
  if (news > 0 && now >= notified.at + waitMs) return { kind: 'more', news, ...all };
  // If no scenario that the route knows of can be judged, for instance because test data is missing, a reminder would say nothing new.
  const isReminded = acknowledged < notified.news && old.some(({ hit }) => hit.cause.kind !== 'unjudged');
  if (!isReminded || now < notified.at + policy.remindAfterMs) return undefined;
  return { kind: 'still', news: 0, ...all };
}

/**
 * Returns the record of notices to a route, updated for one more notice. `last` is the id of the incident's last change of status. `now` is
 * on the monotonic clock, in ms.
 */
export function notifiedAfter(
  notified: Notified | undefined,
  { kind, open, ended }: DueNotice,
  last: number,
  now: number,
): Notified {
  if (kind === 'up') return { at: now, isOver: true, said: {}, news: last, before: last };
  const { said: earlier = {}, news = last, before = last } = (kind !== 'down' && notified) || {};
  const notifiedMembers = new Map(Object.entries(earlier));
  for (const { hit, how } of ended)
    for (const [place, { width }] of notifiedMembers) {
      if (!place.startsWith(`${hit.scenario.environment} `)) continue;
      // If the scenario recovered, mark the places of its environment as recovered instead of deleting them, so that the next failure at
      // one of these places is known to be a repetition.
      if (isBack(how)) notifiedMembers.set(place, { width, isBack: true });
      else notifiedMembers.delete(place);
    }
  for (const { scenario, cause } of open)
    for (const place of placesOf(cause, scenario.environment))
      notifiedMembers.set(place, { width: Math.max(widthOf(cause), notifiedMembers.get(place)?.width ?? 0) });
  return {
    at: now,
    isOver: false,
    said: Object.fromEntries(notifiedMembers),
    news: kind === 'still' ? news : last,
    before,
  };
}

/**
 * Whether a scenario works again, by the way in which it left the incident. If it doesn't work, the notice names the scenario separately.
 */
export function isBack(how: Leaving): boolean {
  return how === 'recovered' || how === 'judged';
}

/**
 * The places in an environment at which a cause appears: addresses, areas or a credential. A refused credential is a single place, although
 * every address refuses it. If an address responds with errors, its areas are places, too, because other areas at the same address may
 * work.
 */
function placesOf(cause: Cause, environment: string): string[] {
  const { kind, phase, name = '', areas = [] } = cause;
  const ofErrors = kind === 'address' && phase === 'response' ? areas : [];
  const places = kind === 'credential' ? [name] : [...addressesOf(cause), ...ofErrors];
  return places.map((place) => `${environment} ${place}`);
}

/**
 * How a failure relates to earlier notices to the route.
 * `known`: the notices named all places of the failure, with a cause that is at least as wide. (A host is wider than an address, an address
 * wider than an operation.)
 * `back`: the notices reported this scenario as recovered at one of these places, and it fails again.
 * `new`: any other failure, also that of another scenario at a place that was reported as recovered.
 */
function newsIn({ hit: { cause, scenario }, left = 0 }: Member, { said, before }: Notified): 'known' | 'back' | 'new' {
  const named = placesOf(cause, scenario.environment).map((place) => said[place]);
  if (!named.every((one) => one !== undefined && one.width >= widthOf(cause))) return 'new';
  if (!named.some((one) => one?.isBack)) return 'known';
  return left > before ? 'back' : 'new';
}

function endedOf({ hit, leave }: Member, { isUp, isMonitored, isQuiet }: Moment, { before }: Notified): Ended[] {
  if (!leave || leave.id <= before) return [];
  const { scenario } = hit;
  const isThere = isMonitored(scenario);
  const now = { isBack: isThere && isUp(scenario), isThere, isQuiet: isQuiet(scenario.environment) };
  return [{ hit, leave, how: leavingOf(leave, now) }];
}
