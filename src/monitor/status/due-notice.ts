import { addressesOf, type Cause, widthOf } from '../../run/index.ts';
import type { Flip } from './flip.ts';
import { type Leaving, leavingOf, type Member, type Told } from './incident.ts';

/**
 * down: a scenario broke · more: further scenarios broke for the same cause · still: a reminder · up: every scenario has recovered, or left the
 * incident in another way.
 */
export type NoticeKind = 'down' | 'more' | 'still' | 'up';

export interface NotificationPolicy {
  readonly remindAfterMs: number;
  /** How long to collect further scenarios that break before a notice names all of them, in ms. */
  readonly gatherMs: number;
}

/** The time and the state of the monitor, from which `dueNotice` decides whether a notice is due. */
export interface Moment {
  /** The moment on the monotonic clock, in ms. */
  readonly now: number;
  /** Id of the last change of status that somebody's acknowledgement covers; 0 if nobody has acknowledged the incident. */
  readonly acknowledged: number;
  /** How often, within the last `FLAPPING_MS`, the route was notified that the cause had ended. */
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
   * The scenarios that are still in the incident and outside maintenance. Those that earlier notices to the route did not report come
   * first.
   */
  readonly open: readonly Flip[];
  /** How many scenarios in `open` earlier notices to the route did not report. */
  readonly news: number;
  /** Scenarios that have left the incident since the first notice. */
  readonly ended: readonly Ended[];
}

export interface Ended {
  readonly hit: Flip;
  readonly leave: Flip;
  readonly how: Leaving;
}

/** A cause that ends repeatedly within this time is flapping; in ms. */
export const FLAPPING_MS = 21_600_000;

/** If a cause ends at most this often within `FLAPPING_MS`, each end is notified without delay. Further ends wait for `holdMs`. */
const TOLD_AT_ONCE = 2;

const SHORTEST_HOLD_MS = 300_000;

/**
 * If a scenario that was reported as recovered fails again while others are down, the route's next notice waits at least this long after
 * its last one; in ms.
 */
const REPEAT_MS = 3_600_000;

/** How long nothing may fail before the route is notified of a recovery, in ms. The more often the cause came back, the longer the wait. */
function holdMs(recoveries: number): number {
  const beyond = recoveries - TOLD_AT_ONCE;
  return beyond < 0 ? 0 : Math.min(FLAPPING_MS, SHORTEST_HOLD_MS * 8 ** beyond);
}

/**
 * Returns the notice about an incident that is due to a route, if any. `members` are the scenarios of the incident that concern the route.
 * `told` is the record of earlier notices to the route.
 */
export function dueNotice(
  members: readonly Member[],
  told: Told | undefined,
  moment: Moment,
  policy: NotificationPolicy,
): DueNotice | undefined {
  const { now, isQuiet, acknowledged } = moment;
  const isAudible = ({ hit }: Pick<Member, 'hit'>) => !isQuiet(hit.scenario.environment);
  const open = members.filter(({ leave }) => !leave);
  const heard = open.filter(isAudible);
  const audible = heard.map(({ hit }) => hit);
  if (!told || told.isOver)
    return audible.length === 0 ? undefined : { kind: 'down', open: audible, news: audible.length, ended: [] };
  const left = members.flatMap((member) => endedOf(member, moment, told));
  // A failure during maintenance, of which the route wasn't notified, must not delay the recovery notice of another environment.
  const knownMembers = new Set(
    Object.entries(told.said).flatMap(([place, { isBack }]) => (isBack ? [] : place.split(' ')[0])),
  );
  const isDown = open.some((member) => isAudible(member) || knownMembers.has(member.hit.scenario.environment));
  if (!isDown) {
    const lastLeft = Math.max(...left.map(({ leave }) => leave.steady));
    const isBelieved = left.some(isAudible) && now >= lastLeft + holdMs(moment.recoveries());
    // The recovery notice also names the scenarios that left without recovering, including those in maintenance.
    return isBelieved ? { kind: 'up', open: [], news: 0, ended: left } : undefined;
  }
  if (audible.length === 0) return undefined;
  const { known: old = [], back = [], new: unheard = [] } = Object.groupBy(heard, (member) => newsIn(member, told));
  const news = unheard.length + back.length;
  // While the cause flaps, a notice leaves out recoveries that are still waiting for `holdMs`.
  const isKnown = ({ how, leave }: Ended) => !isBack(how) || now >= leave.steady + holdMs(moment.recoveries());
  const ended = left.filter(isAudible).filter(isKnown);
  const all = { open: [...unheard, ...back, ...old].map(({ hit }) => hit), ended };
  const waitMs = unheard.length > 0 ? policy.gatherMs : Math.max(REPEAT_MS, policy.gatherMs);
  if (news > 0 && now >= told.at + waitMs) return { kind: 'more', news, ...all };
  // If none of the known scenarios can be judged, for instance because test data is missing, a reminder would say nothing new.
  const isReminded = acknowledged < told.news && old.some(({ hit }) => hit.cause.kind !== 'unjudged');
  if (!isReminded || now < told.at + policy.remindAfterMs) return undefined;
  return { kind: 'still', news: 0, ...all };
}

/**
 * Returns the record of notices to a route, updated for one more notice. `last` is the id of the incident's last change of status. `now` is
 * on the monotonic clock, in ms.
 */
export function toldAfter(told: Told | undefined, { kind, open, ended }: DueNotice, last: number, now: number): Told {
  if (kind === 'up') return { at: now, isOver: true, said: {}, news: last, before: last };
  const { said: earlier = {}, news = last, before = last } = (kind !== 'down' && told) || {};
  const notifiedMembers = new Map(Object.entries(earlier));
  for (const { hit, how } of ended)
    for (const [place, { width }] of notifiedMembers) {
      if (!place.startsWith(`${hit.scenario.environment} `)) continue;
      // If the scenario recovered, the places of its environment stay on record, so that the next failure there counts as a repetition.
      // Otherwise they are deleted.
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
 * The places where a cause shows in an environment: addresses, areas or a credential. A credential is one place, because every address
 * refuses it. If an address responds with errors, its areas are places, too, because some areas at a shared address may work.
 */
function placesOf(cause: Cause, environment: string): string[] {
  const { kind, phase, name = '', areas = [] } = cause;
  const ofErrors = kind === 'address' && phase === 'response' ? areas : [];
  const places = kind === 'credential' ? [name] : [...addressesOf(cause), ...ofErrors];
  return places.map((place) => `${environment} ${place}`);
}

/**
 * How a failure relates to earlier notices to the route. `known`: they named all places of the failure, with a cause that is at least as
 * wide (a host is wider than an address, an address wider than an operation). `back`: they reported the scenario as recovered there, and it
 * fails again. `new`: any other failure, including that of another scenario at a place that was reported as recovered.
 */
function newsIn({ hit: { cause, scenario }, left = 0 }: Member, { said, before }: Told): 'known' | 'back' | 'new' {
  const named = placesOf(cause, scenario.environment).map((place) => said[place]);
  if (!named.every((one) => one !== undefined && one.width >= widthOf(cause))) return 'new';
  if (!named.some((one) => one?.isBack)) return 'known';
  return left > before ? 'back' : 'new';
}

function endedOf({ hit, leave }: Member, { isUp, isMonitored, isQuiet }: Moment, { before }: Told): Ended[] {
  if (!leave || leave.id <= before) return [];
  const { scenario } = hit;
  const isThere = isMonitored(scenario);
  const now = { isBack: isThere && isUp(scenario), isThere, isQuiet: isQuiet(scenario.environment) };
  return [{ hit, leave, how: leavingOf(leave, now) }];
}
