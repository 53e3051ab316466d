import { addressesOf, type Cause, widthOf } from '../../run/index.ts';
import type { Flip } from './flip.ts';
import { type Leaving, leavingOf, type Member, type Told } from './incident.ts';

/**
 * down: something broke · more: so did something else, of the same cause · still: a reminder · up: all of it has recovered, or is no
 * longer monitored.
 */
export type NoticeKind = 'down' | 'more' | 'still' | 'up';

export interface NotificationPolicy {
  readonly remindAfterMs: number;
  /** How long to collect what else breaks. */
  readonly gatherMs: number;
}

/** All else that a notice depends on, at one moment. */
export interface Moment {
  /** By the steady clock, in ms. */
  readonly now: number;
  /** Somebody took on what was open then: the last of these flips; 0: nobody did. */
  readonly acknowledged: number;
  /** How often the route was notified within `FLAPPING_MS` that the cause has ended. */
  readonly recoveries: () => number;
  /** Whether notices of an environment are kept back now. */
  readonly isQuiet: (environment: string) => boolean;
  readonly isMonitored: (scenario: Flip['scenario']) => boolean;
  readonly isUp: (scenario: Flip['scenario']) => boolean;
}

/** A notice that is due: the difference between the facts and what the route knows. */
export interface DueNotice {
  readonly kind: NoticeKind;
  /** All open scenarios outside of maintenance; those that the route doesn't know come first. */
  readonly open: readonly Flip[];
  /** How many of them it doesn't know. */
  readonly news: number;
  /** Scenarios that left since the first notice. */
  readonly ended: readonly Ended[];
}

export interface Ended {
  readonly hit: Flip;
  readonly leave: Flip;
  readonly how: Leaving;
}

/** Recoveries from one cause within this time make it flap. */
export const FLAPPING_MS = 21_600_000;

/** The number of recoveries that are notified without delay. */
const TOLD_AT_ONCE = 2;

const SHORTEST_HOLD_MS = 300_000;

/** A scenario that was reported as recovered and fails again, while others are down, is reported again after this time; in ms. */
const REPEAT_MS = 3_600_000;

/** How long nothing may have failed before a recovery is believed: the longer the more often the cause came back. */
function holdMs(recoveries: number): number {
  const beyond = recoveries - TOLD_AT_ONCE;
  return beyond < 0 ? 0 : Math.min(FLAPPING_MS, SHORTEST_HOLD_MS * 8 ** beyond);
}

/** The notice that a route is due about an incident, if any. `members` are those that concern the route: to a route, they are the incident. */
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
  // A failure in maintenance, which nobody knows, does not delay the recovery notice of another environment.
  const knownMembers = new Set(
    Object.entries(told.said).flatMap(([place, { isBack }]) => (isBack ? [] : place.split(' ')[0])),
  );
  const isDown = open.some((member) => isAudible(member) || knownMembers.has(member.hit.scenario.environment));
  if (!isDown) {
    const lastLeft = Math.max(...left.map(({ leave }) => leave.steady));
    const isBelieved = left.some(isAudible) && now >= lastLeft + holdMs(moment.recoveries());
    // The recovery notice also names the scenarios that have not recovered, including those in maintenance.
    return isBelieved ? { kind: 'up', open: [], news: 0, ended: left } : undefined;
  }
  if (audible.length === 0) return undefined;
  const { known: old = [], back = [], new: unheard = [] } = Object.groupBy(heard, (member) => newsIn(member, told));
  const news = unheard.length + back.length;
  // While the cause flaps, a recovery that is not believed yet is not told either.
  const isKnown = ({ how, leave }: Ended) => !isBack(how) || now >= leave.steady + holdMs(moment.recoveries());
  const ended = left.filter(isAudible).filter(isKnown);
  const all = { open: [...unheard, ...back, ...old].map(({ hit }) => hit), ended };
  const waitMs = unheard.length > 0 ? policy.gatherMs : Math.max(REPEAT_MS, policy.gatherMs);
  if (news > 0 && now >= told.at + waitMs) return { kind: 'more', news, ...all };
  // No reminder for scenarios that wait for test data or for a response that can be judged: it would say nothing new.
  const isReminded = acknowledged < told.news && old.some(({ hit }) => hit.cause.kind !== 'unjudged');
  if (!isReminded || now < told.at + policy.remindAfterMs) return undefined;
  return { kind: 'still', news: 0, ...all };
}

/** The route's knowledge after a notice; `last` is the last flip of the incident. */
export function toldAfter(told: Told | undefined, { kind, open, ended }: DueNotice, last: number, now: number): Told {
  if (kind === 'up') return { at: now, isOver: true, said: {}, news: last, before: last };
  const { said: earlier = {}, news = last, before = last } = (kind !== 'down' && told) || {};
  const notifiedMembers = new Map(Object.entries(earlier));
  for (const { hit, how } of ended)
    for (const [place, { width }] of notifiedMembers) {
      if (!place.startsWith(`${hit.scenario.environment} `)) continue;
      // Only what comes and goes is repeated.
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

/** Whether a scenario that left is well; otherwise the notice names it apart. */
export function isBack(how: Leaving): boolean {
  return how === 'recovered' || how === 'judged';
}

/** A credential is refused wherever it is sent; of the areas that share an address, some can answer with errors. */
function placesOf(cause: Cause, environment: string): string[] {
  const { kind, phase, name = '', areas = [] } = cause;
  const ofErrors = kind === 'address' && phase === 'response' ? areas : [];
  const places = kind === 'credential' ? [name] : [...addressesOf(cause), ...ofErrors];
  return places.map((place) => `${environment} ${place}`);
}

/**
 * Whether a failure only follows from what the route knows: its places were named, and it is no wider; or it was reported as recovered
 * (`back`). At a place that was reported as recovered, any other scenario is new.
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
