import { addressesOf, type Cause, widthOf } from './cause.ts';
import type { Flip } from './flip.ts';
import { type Ending, type Extent, endingOf, type Member, type Told } from './incident.ts';

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
  /** How often the cause failed within `FLAPPING_MS`, this time included. */
  readonly failures: number;
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
  readonly how: Ending;
}

/** Failures of one cause within this time make it flap. */
export const FLAPPING_MS = 21_600_000;

/** The number of recoveries that are notified without delay. */
const TOLD_AT_ONCE = 2;

const SHORTEST_HOLD_MS = 300_000;

/** A scenario that was reported as recovered and fails again, while others are down, is reported again after this time; in ms. */
const REPEAT_MS = 3_600_000;

/** How long nothing may have failed before a recovery is believed: the longer the more often the cause failed. */
function holdMs(failures: number): number {
  const beyond = failures - TOLD_AT_ONCE;
  return beyond <= 0 ? 0 : Math.min(FLAPPING_MS, SHORTEST_HOLD_MS * 8 ** (beyond - 1));
}

/** The notice that a route is due about an incident, if any. `members` are those that concern the route: to a route, they are the incident. */
export function dueNotice(
  members: readonly Member[],
  told: Told | undefined,
  moment: Moment,
  policy: NotificationPolicy,
): DueNotice | undefined {
  const { now, isQuiet, acknowledged, failures } = moment;
  const isAudible = ({ hit }: Pick<Member, 'hit'>) => !isQuiet(hit.scenario.environment);
  // A scenario that broke in maintenance may still be open after the route was notified of the recovery.
  const since = members.filter(({ hit, leave }) => !leave || hit.id > (told?.before ?? 0));
  const open = since.filter(({ leave }) => !leave);
  const audible = open.filter(isAudible).map(({ hit }) => hit);
  if (!told || told.isOver)
    return audible.length === 0 ? undefined : { kind: 'down', open: audible, news: audible.length, ended: [] };
  const left = since.flatMap((member) => endedOf(member, moment));
  // A failure in maintenance, which nobody knows, does not delay the recovery notice of another environment.
  const isDown = open.some((member) => isAudible(member) || member.hit.scenario.environment in told.said);
  if (!isDown) {
    const lastLeft = Math.max(...left.map(({ leave }) => leave.steady));
    const isBelieved = left.some(isAudible) && now >= lastLeft + holdMs(failures);
    // The recovery notice also names the scenarios that have not recovered, including those in maintenance.
    return isBelieved ? { kind: 'up', open: [], news: 0, ended: left } : undefined;
  }
  if (audible.length === 0) return undefined;
  const [heard, unheard] = [true, false].map((is) => audible.filter((hit) => follows(hit, told.said) === is));
  const all = { open: [...(unheard ?? []), ...(heard ?? [])], ended: left.filter(isAudible) };
  const news = unheard?.length ?? 0;
  const isRepeated = unheard?.every((hit) => follows(hit, told.ever));
  if (news > 0 && now >= told.at + (isRepeated ? Math.max(REPEAT_MS, policy.gatherMs) : policy.gatherMs))
    return { kind: 'more', news, ...all };
  // No reminder for scenarios that wait for test data or for a response that can be judged: it would say nothing new.
  const isReminded = acknowledged < told.news && heard?.some(({ cause }) => cause.kind !== 'unjudged');
  return isReminded && now >= told.at + policy.remindAfterMs ? { kind: 'still', news: 0, ...all } : undefined;
}

/** The route's knowledge after a notice. */
export function toldAfter(told: Told | undefined, notice: DueNotice, members: readonly Member[], now: number): Told {
  const { kind, open, ended } = notice;
  const last = Math.max(0, ...members.map(({ hit }) => hit.id));
  if (kind === 'up') return { at: now, isOver: true, said: {}, ever: {}, news: last, before: last };
  const isFirst = kind === 'down';
  const said: Record<string, Extent> = isFirst ? {} : { ...told?.said };
  const ever: Record<string, Extent> = isFirst ? {} : { ...told?.ever };
  for (const { hit, how } of ended) {
    delete said[hit.scenario.environment];
    // Only what comes and goes is repeated.
    if (!isBack(how)) delete ever[hit.scenario.environment];
  }
  for (const [environment, hits] of Map.groupBy(open, ({ scenario }) => scenario.environment)) {
    said[environment] = extentOf(hits);
    ever[environment] = extentOf(hits, ever[environment]);
  }
  // The notice includes failures in maintenance from before the last `up`.
  const before = Math.min(told?.before ?? 0, ...(isFirst ? open.map(({ id }) => id - 1) : []));
  return { at: now, isOver: false, said, ever, news: kind === 'still' ? (told?.news ?? last) : last, before };
}

/** Whether a scenario that left is well; otherwise the notice names it apart. */
export function isBack(how: Ending): boolean {
  return how === 'recovered' || how === 'judged';
}

function extentOf(hits: readonly Flip[], before: Extent = { addresses: [], width: 0 }): Extent {
  const causes = hits.map(({ cause }) => cause);
  return {
    addresses: [...new Set([...before.addresses, ...causes.flatMap(placesOf)])],
    width: Math.max(before.width, ...causes.map(widthOf)),
  };
}

/** A credential is refused wherever it is sent; of the areas that share an address, some can answer with errors. */
function placesOf(cause: Cause): readonly string[] {
  if (cause.kind === 'credential') return [cause.name ?? ''];
  const areas = cause.kind === 'address' && cause.phase === 'response' ? (cause.areas ?? []) : [];
  return [...addressesOf(cause), ...areas];
}

/** Whether a failure only follows from what the route knows: a notice named its places, and the failure is no wider. */
function follows({ cause, scenario }: Flip, extents: Told['said']): boolean {
  const { width = 0, addresses = [] } = extents[scenario.environment] ?? {};
  return widthOf(cause) <= width && placesOf(cause).every((place) => addresses.includes(place));
}

function endedOf({ hit, leave }: Member, { isUp, isMonitored, isQuiet }: Moment): Ended[] {
  if (!leave) return [];
  const { scenario } = hit;
  const isThere = isMonitored(scenario);
  const now = { isBack: isThere && isUp(scenario), isThere, isQuiet: isQuiet(scenario.environment) };
  return [{ hit, leave, how: endingOf(leave, now) }];
}
