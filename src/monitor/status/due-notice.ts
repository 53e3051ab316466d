import { addressesOf, type Cause, widthOf } from './cause.ts';
import type { Flip } from './flip.ts';
import type { Member } from './incident.ts';
import type { NoticeKind, Said, Told } from './told.ts';

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
  /** Whether a scenario is down now, or can't be judged, for another cause. */
  readonly isElsewhere: (scenario: Flip['scenario']) => boolean;
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

export interface Ended extends Member {
  readonly leave: Flip;
  /** It recovered; otherwise it can no longer be judged, is no longer monitored, or fails for another cause. */
  readonly isBack: boolean;
  readonly isMonitored: boolean;
  /** Its environment is in maintenance: only that it recovered may be said. */
  readonly isQuiet: boolean;
}

/** Failures of one cause within this time make it flap. */
export const FLAPPING_MS = 21_600_000;

/** The number of recoveries that are notified without delay. */
const TOLD_AT_ONCE = 2;

const SHORTEST_HOLD_MS = 300_000;

const LONGEST_HOLD_MS = FLAPPING_MS;

/** A scenario that was reported as recovered and fails again, while others are down, is reported again after this time; in ms. */
const REPEAT_MS = 3_600_000;

/** How long nothing may have failed before a recovery is believed: the longer the more often the cause failed. */
export function holdMs(failures: number): number {
  const beyond = failures - TOLD_AT_ONCE;
  return beyond <= 0 ? 0 : Math.min(LONGEST_HOLD_MS, SHORTEST_HOLD_MS * 8 ** (beyond - 1));
}

/**
 * The notice that a route is due about an incident, if any. `members` are those that concern the route: to a route, they are the incident.
 */
export function dueNotice(
  members: readonly Member[],
  told: Told | undefined,
  moment: Moment,
  policy: NotificationPolicy,
): DueNotice | undefined {
  const { now, isQuiet, acknowledged, failures } = moment;
  const isAudible = ({ hit }: Member) => !isQuiet(hit.scenario.environment);
  const isTelling = told !== undefined && !told.isOver;
  // A scenario that broke in maintenance may be open although the route was told that all is over.
  const since = members.filter(({ hit, leave }) => !leave || hit.id > (told?.before ?? 0));
  const open = since.filter(({ leave }) => !leave);
  const audible = open.filter(isAudible).map(({ hit }) => hit);
  if (!isTelling)
    return audible.length === 0 ? undefined : { kind: 'down', open: audible, news: audible.length, ended: [] };
  const left = since.flatMap((member) => endedOf(member, moment));
  const ended = left.filter(isAudible);
  // A failure in maintenance, which nobody knows, does not delay the recovery notice of another environment.
  const isDown = open.some((member) => isAudible(member) || Object.hasOwn(told.said, member.hit.scenario.environment));
  if (!isDown) {
    const lastLeft = Math.max(...since.map(({ leave }) => leave?.steady ?? 0));
    const isBelieved = now >= lastLeft + holdMs(failures);
    // Whoever reads that all is over must know what of it is not: in maintenance, too.
    return isBelieved && ended.length > 0 ? { kind: 'up', open: [], news: 0, ended: left } : undefined;
  }
  if (audible.length === 0) return undefined;
  const { heard = [], unheard = [] } = Object.groupBy(audible, (hit) =>
    follows(hit, told.said[hit.scenario.environment]) ? 'heard' : 'unheard',
  );
  const all = { open: [...unheard, ...heard], ended };
  const isRepeated = unheard.every((hit) => follows(hit, told.ever[hit.scenario.environment]));
  if (unheard.length > 0 && now >= told.at + (isRepeated ? Math.max(REPEAT_MS, policy.gatherMs) : policy.gatherMs))
    return { kind: 'more', news: unheard.length, ...all };
  const isTaken = acknowledged >= told.news;
  return now >= told.at + policy.remindAfterMs && !isTaken && heard.some(isReminded)
    ? { kind: 'still', news: 0, ...all }
    : undefined;
}

/** The route's knowledge after a notice. */
export function toldAfter(told: Told | undefined, notice: DueNotice, members: readonly Member[], now: number): Told {
  const { kind, open } = notice;
  const last = Math.max(0, ...members.map(({ hit }) => hit.id));
  const isOver = kind === 'up';
  const [said, ever]: [Record<string, Said>, Record<string, Said>] =
    isOver || kind === 'down' ? [{}, {}] : [{ ...told?.said }, { ...told?.ever }];
  // The notice names recoveries as well, but nothing in maintenance.
  for (const { hit, isBack } of notice.ended) {
    delete said[hit.scenario.environment];
    // Only what comes and goes is repeated.
    if (!isBack) delete ever[hit.scenario.environment];
  }
  for (const [environment, hits] of isOver ? [] : Map.groupBy(open, ({ scenario }) => scenario.environment)) {
    said[environment] = saidOf(hits);
    ever[environment] = saidOf(hits, ever[environment]);
  }
  const news = kind === 'still' ? (told?.news ?? last) : last;
  // The notice includes failures in maintenance from before the last `up`.
  const first = Math.min(told?.before ?? 0, ...(kind === 'down' ? open.map(({ id }) => id - 1) : []));
  return { kind, at: now, isOver, said, ever, news, before: isOver ? last : first };
}

function saidOf(hits: readonly Flip[], before: Said = { addresses: [], width: 0, titles: [] }): Said {
  const titles = hits.flatMap(({ cause, scenario }) => (isLacking(cause) ? [scenario.title] : []));
  return {
    addresses: [...new Set([...before.addresses, ...hits.flatMap(({ cause }) => addressesOf(cause))])],
    width: Math.max(before.width, ...hits.map(({ cause }) => widthOf(cause))),
    titles: [...new Set([...before.titles, ...titles])],
  };
}

/** Whether a failure only follows from what the route knows: a notice named its address, and the failure is no wider. */
function follows({ cause, scenario }: Flip, said: Said | undefined): boolean {
  if (!said) return false;
  if (isLacking(cause)) return said.titles.includes(scenario.title);
  if (cause.kind === 'credential') return true;
  return widthOf(cause) <= said.width && addressesOf(cause).every((address) => said.addresses.includes(address));
}

function isLacking({ kind }: Cause): boolean {
  return kind === 'skipped';
}

/** A scenario that can no longer run waits for test data: a reminder would say nothing new. */
function isReminded({ cause }: Flip): boolean {
  return cause.kind !== 'skipped' && cause.kind !== 'unjudged';
}

function endedOf(member: Member, { isElsewhere, isMonitored, isQuiet }: Moment): Ended[] {
  const { hit, leave } = member;
  if (!leave) return [];
  const isThere = leave.to !== 'pending' && isMonitored(hit.scenario);
  const isBack = isThere && !isElsewhere(hit.scenario);
  return [{ hit, leave, isBack, isMonitored: isMonitored(hit.scenario), isQuiet: isQuiet(hit.scenario.environment) }];
}
