import { addressesOf, type Cause, widthOf } from '../../run/index.ts';
import type { Flip } from './flip.ts';
import { type Leaving, leavingOf, type Member, type Notified } from './incident.ts';

/**
 * down: a scenario broke · more: further scenarios broke for the same cause · still: a reminder · up: every scenario has recovered, or left the
 * incident in another way.
 */
export type NoticeKind = 'down' | 'more' | 'still' | 'up';

export interface NotificationPolicy {
  readonly remindAfterMs: number;
  /** How long to collect further scenarios that break before the next notice names them, in ms. */
  readonly gatherMs: number;
}

/** The state at one moment that decides whether a notice is due, besides the incident and the route's knowledge. */
export interface Moment {
  /** The moment by the steady clock, in ms. */
  readonly now: number;
  /** The last flip that somebody's acknowledgement covers; 0 if nobody has acknowledged the incident. */
  readonly acknowledged: number;
  /** How often, within the last `FLAPPING_MS`, the route was notified that the cause had ended. */
  readonly recoveries: () => number;
  /** Whether an environment is in maintenance, so that notices about it are withheld. */
  readonly isQuiet: (environment: string) => boolean;
  readonly isMonitored: (scenario: Flip['scenario']) => boolean;
  readonly isUp: (scenario: Flip['scenario']) => boolean;
}

/** A notice that is due: the difference between the incident and its state in the route's last notice. */
export interface DueNotice {
  readonly kind: NoticeKind;
  /** The scenarios that are still in the incident and outside maintenance; those that the route doesn't know come first. */
  readonly open: readonly Flip[];
  /** How many scenarios in `open` the route doesn't know. */
  readonly news: number;
  /** Scenarios that have left the incident since the first notice. */
  readonly ended: readonly Ended[];
}

export interface Ended {
  readonly hit: Flip;
  readonly leave: Flip;
  readonly how: Leaving;
}

/** If a cause ends repeatedly within this time, it flaps; in ms. */
export const FLAPPING_MS = 21_600_000;

/** How many recoveries from one cause within `FLAPPING_MS` are notified without delay. */
const TOLD_AT_ONCE = 2;

const SHORTEST_HOLD_MS = 300_000;

/**
 * If a scenario that was reported as recovered fails again while others are down, the route's next notice comes this long after its last one; in ms.
 */
const REPEAT_MS = 3_600_000;

/** How long nothing must fail before a recovery is believed, in ms: the more often the cause came back, the longer. */
function holdMs(recoveries: number): number {
  const beyond = recoveries - TOLD_AT_ONCE;
  return beyond < 0 ? 0 : Math.min(FLAPPING_MS, SHORTEST_HOLD_MS * 8 ** beyond);
}

/**
 * The notice that a route is due about an incident, if any. `members` are the scenarios of the incident that concern the route; the route never sees
 * the others.
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
  // If the route wasn't notified of a failure during maintenance, that failure doesn't delay the recovery notice of another environment.
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
  // While the cause flaps, a notice omits recoveries that are not believed yet.
  const isKnown = ({ how, leave }: Ended) => !isBack(how) || now >= leave.steady + holdMs(moment.recoveries());
  const ended = left.filter(isAudible).filter(isKnown);
  const all = { open: [...unheard, ...back, ...old].map(({ hit }) => hit), ended };
  const waitMs = unheard.length > 0 ? policy.gatherMs : Math.max(REPEAT_MS, policy.gatherMs);
  if (news > 0 && now >= notified.at + waitMs) return { kind: 'more', news, ...all };
  // If none of the known scenarios can be judged, for instance because test data is missing, a reminder would say nothing new.
  const isReminded = acknowledged < notified.news && old.some(({ hit }) => hit.cause.kind !== 'unjudged');
  if (!isReminded || now < notified.at + policy.remindAfterMs) return undefined;
  return { kind: 'still', news: 0, ...all };
}

/** The route's knowledge after a notice. `last` is the last flip of the incident; `now` is by the steady clock, in ms. */
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
      // If the scenario recovered, the places of its environment are kept, so that the next failure there counts as a repetition. Otherwise they are
      // forgotten.
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

/** Whether a scenario that left in this way is well; otherwise the notice names the scenario separately. */
export function isBack(how: Leaving): boolean {
  return how === 'recovered' || how === 'judged';
}

/**
 * The places where a cause shows in an environment. A credential is one place, because every address refuses it. If an address responds with errors,
 * its areas are places, too, because some areas at a shared address may work.
 */
function placesOf(cause: Cause, environment: string): string[] {
  const { kind, phase, name = '', areas = [] } = cause;
  const ofErrors = kind === 'address' && phase === 'response' ? areas : [];
  const places = kind === 'credential' ? [name] : [...addressesOf(cause), ...ofErrors];
  return places.map((place) => `${environment} ${place}`);
}

/**
 * How a failure relates to the route's knowledge. `known`: notices named all of its places, and it is no wider. `back`: the scenario was reported as
 * recovered there and fails again. `new`: any other failure, including that of another scenario at a place that was reported as recovered.
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
