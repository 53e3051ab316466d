import { addressesOf, hostOf } from './extent.ts';
import type { Flip, ScenarioRef } from './flip.ts';
import { familyOf, type Incident, isConnection, type Member, membersOf } from './incident.ts';

/**
 * down: something broke · more: so did something else, or again · part: some of it recovered · still: a reminder ·
 * up: everything recovered · over: nothing of it is left, though not all of it recovered.
 */
export const noticeKinds = ['down', 'more', 'part', 'still', 'up', 'over'] as const;

export type NoticeKind = (typeof noticeKinds)[number];

/** The last notice of an incident. */
export function isLast(kind: NoticeKind | 'expiring' | 'test'): boolean {
  return kind === 'up' || kind === 'over';
}

/** What a channel was last told about an incident. */
export interface Told {
  /** Flips into the incident that it was told of, and not yet of their end. */
  readonly hits: ReadonlySet<number>;
  /** Absent: nothing yet. */
  readonly last?: { readonly kind: NoticeKind; readonly at: number };
}

export interface NotificationPolicy {
  readonly remindAfterMs: number;
  /** How long to collect further changes of an incident that was told. */
  readonly gatherMs: number;
  /** Within this time everything has run once more: what recovers together is told together. Default: `gatherMs`. */
  readonly settleMs?: number;
}

/** Everything else that a notice depends on, at one moment. */
export interface Moment {
  /** Epoch, in ms. */
  readonly now: number;
  /** Muted by somebody. */
  readonly isMuted: boolean;
  /** Somebody took on what was open then. */
  readonly acknowledgedAt?: number;
  /** Whether an environment is, or was, in maintenance. */
  readonly isQuiet: (environment: string, at: number) => boolean;
  /** Whether nothing runs now where a failure was seen: nobody knows whether it lasts. */
  readonly isPaused: (hit: Flip) => boolean;
  /** Whether a scenario is in another incident now. */
  readonly isElsewhere: (scenario: ScenarioRef) => boolean;
  /** Whether a scenario still runs. */
  readonly isMonitored: (scenario: ScenarioRef) => boolean;
  /** How often a scenario went into an incident within `FLAPPING_MS`. */
  readonly failures: (scenario: ScenarioRef) => number;
  /** From when on the channel is to hear of a failure, an epoch in ms: infinite where it never is. */
  readonly concernsFrom: (hit: Flip) => number;
}

/** A notice that is due: the difference between what is true and what a channel was told. */
export interface DueNotice {
  readonly kind: NoticeKind;
  /** What is open and may be told, in full: what the channel doesn't know first. */
  readonly open: readonly Flip[];
  /** How many of them it doesn't know. */
  readonly news: number;
  /** Recovered since it was told. */
  readonly back: readonly Member[];
  /** Left without having recovered: no longer monitored, or in another incident. */
  readonly gone: readonly Member[];
}

export interface Outcome {
  readonly notice?: DueNotice;
  /** What the channel knows afterwards, the notice included. */
  readonly told: ReadonlySet<number>;
  /** When to ask again if nothing happens; epoch, in ms. */
  readonly askAgainAt: number;
}

/** Recoveries of what fails again and again are held back; failures within this time count. */
export const FLAPPING_MS = 21_600_000;
const SHORTEST_HOLD_MS = 300_000;
const LONGEST_HOLD_MS = 3_600_000;

/** How long something must have been up before that is told: no time after its first failure, an hour at most. */
export function holdMs(failures: number): number {
  return failures < 2 ? 0 : Math.min(LONGEST_HOLD_MS, SHORTEST_HOLD_MS * 2 ** (failures - 2));
}

/** An environment that was named without having failed itself is no news for this long when it does. */
const NAMED_MS = 600_000;

/** Clocks are corrected by milliseconds all the time; only a clock that went back further was set. */
const CORRECTION_MS = 1_000;

/** The notice that a channel is due about an incident, if any, and what it knows then. */
export function dueNotice(incident: Incident, told: Told, moment: Moment, policy: NotificationPolicy): Outcome {
  const { now, isMuted } = moment;
  const { last } = told;
  const isTelling = last !== undefined && !isLast(last.kind);
  const { gatherMs, remindAfterMs, settleMs = gatherMs } = policy;
  // After the clock was set back, the elapsed time is unknown: one extra reminder is better than none for a year.
  const since = !last || now < last.at - CORRECTION_MS ? Number.NEGATIVE_INFINITY : last.at;
  const gatheredAt = since + Math.min(gatherMs, remindAfterMs);
  if (isTelling && incident.until === undefined && now < gatheredAt) return { told: told.hits, askAgainAt: gatheredAt };
  const state = compare(incident, isTelling ? told.hits : new Set(), moment);
  const { audible, known, back, gone } = state;
  const wait = (...times: readonly number[]): Outcome => ({
    told: known,
    askAgainAt: Math.min(...times, state.settlesAt),
  });
  const tell = (notice: DueNotice): Outcome => {
    const after = isLast(notice.kind) ? new Set<number>() : toldAfter(known, notice);
    return { notice, told: after, askAgainAt: now };
  };
  if (!isTelling)
    return isMuted || audible.length === 0
      ? { told: told.hits, askAgainAt: state.settlesAt }
      : tell({ kind: 'down', open: audible, news: audible.length, back: [], gone: [] });
  if (state.isOver) {
    if (state.held.length > 0 || state.isKeptBack) return wait();
    return tell({ kind: gone.length === 0 ? 'up' : 'over', open: [], news: 0, back, gone });
  }
  if (isMuted) return wait();
  const settled = back.filter(({ leave }) => (leave?.at ?? 0) + settleMs <= now);
  const isPart = settled.length + gone.length > 0;
  if (now >= since + gatherMs && (state.news > 0 || isPart)) {
    const told = [...settled, ...alsoBack([...settled, ...gone], [...back, ...state.held])];
    const notice = { open: audible, news: state.news, back: told, gone };
    const isRestQuiet = audible.length === 0 && toldAfter(known, { ...notice, kind: 'part' }).size === 0;
    return tell({ ...notice, kind: state.news > 0 ? 'more' : isRestQuiet ? 'over' : 'part' });
  }
  const isCovered = ({ at }: Flip) => moment.acknowledgedAt !== undefined && at <= moment.acknowledgedAt;
  const isRunning = (hit: Flip) => !moment.isPaused(hit);
  const isReminded = familyOf(incident.cause) === 'down' && audible.some((hit) => isRunning(hit) && !isCovered(hit));
  if (isReminded && now >= since + remindAfterMs)
    return tell({ kind: 'still', open: audible.filter(isRunning), news: 0, back: [], gone: [] });
  return wait(
    isReminded ? since + remindAfterMs : Number.POSITIVE_INFINITY,
    state.news > 0 || isPart ? since + gatherMs : Number.POSITIVE_INFINITY,
    ...back.flatMap(({ leave }) => (leave && leave.at + settleMs > now ? [leave.at + settleMs] : [])),
  );
}

/** Where some of an environment is said to be back that was told as a whole, nobody could know of the rest what it does: all that is up is told. */
function alsoBack(ended: readonly Member[], others: readonly Member[]): Member[] {
  const named = new Set(ended.map(({ hit }) => hit.scenario.environment));
  const before = new Set(ended);
  return others.filter(
    (member) => !before.has(member) && isConnection(member.hit.cause) && named.has(member.hit.scenario.environment),
  );
}

interface Compared {
  /** What is open, without what is in maintenance: what the channel doesn't know first. */
  readonly audible: readonly Flip[];
  readonly back: readonly Member[];
  readonly gone: readonly Member[];
  /** Flips that the channel knows, and those that it can conclude. */
  readonly known: ReadonlySet<number>;
  /** How much of that it doesn't know. */
  readonly news: number;
  /** Nothing is open. */
  readonly isOver: boolean;
  /** Something ended that can't be told during maintenance. */
  readonly isKeptBack: boolean;
  /** What has recovered, but not for long enough to be told. */
  readonly held: readonly Member[];
  /** When the first of what recovered has been up for long enough to be told, or the first failure is for this channel too. */
  readonly settlesAt: number;
}

/** Compares what is true of an incident with what a channel knows of it. */
function compare(incident: Incident, hits: ReadonlySet<number>, moment: Moment): Compared {
  const { now, isQuiet, isElsewhere, isMonitored, failures, concernsFrom } = moment;
  const known = new Set(hits);
  let settlesAt = Number.POSITIVE_INFINITY;
  const isBelieved = (member: Member) => member.hits.some((id) => hits.has(id));
  const members = [...membersOf(incident).values()].filter((member) => {
    const { hit, leave } = member;
    const from = concernsFrom(hit);
    if (from <= now || isBelieved(member)) return true;
    if (!leave) settlesAt = Math.min(settlesAt, from);
    return false;
  });
  const told = () => members.flatMap(({ hit, leave }) => (!leave && hits.has(hit.id) ? [hit] : []));
  let cover: ReturnType<typeof coverOf> | undefined;
  const isCovered = (hit: Flip) => {
    cover ??= coverOf(told());
    return cover(hit);
  };
  const [unheard, heard]: [Flip[], Flip[]] = [[], []];
  const [back, gone, held]: [Member[], Member[], Member[]] = [[], [], []];
  let [isOver, isKeptBack] = [true, false];
  for (const member of members) {
    const { hit, leave } = member;
    const { environment } = hit.scenario;
    if (!leave) {
      isOver = false;
      if (isQuiet(environment, now)) continue;
      // What is still believed to be down is no news, unless it came back and failed again in maintenance.
      // Nor is it known how far its new failure reaches, until that is told.
      if (hits.has(hit.id) || (isBelieved(member) && !isQuiet(environment, hit.at))) heard.push(hit);
      else if (isCovered(hit)) {
        heard.push(hit);
        known.add(hit.id);
      } else unheard.push(hit);
    } else if (isBelieved(member)) {
      const heldUntil = now < leave.at - CORRECTION_MS ? now : leave.at + holdMs(failures(hit.scenario));
      if (isQuiet(environment, now)) isKeptBack = true;
      else if (!isMonitored(hit.scenario)) gone.push({ ...member, leave: { ...leave, to: 'pending' } });
      else if (!hasRecovered(hit, leave) || isElsewhere(hit.scenario)) gone.push(member);
      else if (heldUntil <= now) back.push(member);
      else {
        held.push(member);
        settlesAt = Math.min(settlesAt, heldUntil);
      }
    }
  }
  return {
    audible: [...unheard, ...heard],
    news: unheard.length,
    back,
    gone,
    known,
    isOver,
    isKeptBack,
    held,
    settlesAt,
  };
}

/** Whether the opposite of what brought it into the incident has been seen: what was down is up, what could not be judged is judged. */
function hasRecovered(hit: Flip, { to }: Flip): boolean {
  return to === 'up' || to === 'degraded' || (to === 'down' && hit.to !== 'down');
}

/** Tells what could be expected from what was told: calls to addresses that don't respond, and environments that were named. */
function coverOf(told: readonly Flip[]): (hit: Flip) => boolean {
  const down = told.filter(({ cause }) => isConnection(cause));
  const addresses = new Set(down.flatMap(addressesOf));
  const hosts = new Set([...addresses].map(hostOf));
  const named = (environment: string, at: number) =>
    down.some((hit) => hit.cause.pattern?.others?.includes(environment) && at - hit.at <= NAMED_MS);
  return (hit) => {
    if (!isConnection(hit.cause) || hit.cause.pattern?.others !== undefined) return false;
    const own = addressesOf(hit);
    return (
      own.every((address) => addresses.has(address)) ||
      (named(hit.scenario.environment, hit.at) && own.every((address) => hosts.has(hostOf(address))))
    );
  };
}

/** Environments that are wholly new in a notice, where those that were told before only follow. */
export function addedEnvironments({ kind, open, news }: DueNotice): ReadonlySet<string> {
  const namesOf = (hits: readonly Flip[]) => new Set(hits.map(({ scenario }) => scenario.environment));
  const known = kind === 'more' ? namesOf(open.slice(news)) : new Set<string>();
  return known.size > 0 ? namesOf(open.slice(0, news)).difference(known) : known;
}

/** What a channel knows after a notice: what it says in full, and that the rest has ended. */
function toldAfter(known: ReadonlySet<number>, notice: DueNotice): Set<number> {
  const { kind, open, news, back, gone } = notice;
  const after = new Set(known);
  const added = addedEnvironments(notice);
  // How far the failures reach that only follow is not said.
  const isInFull = ({ scenario }: Flip) => kind !== 'part' && (added.size === 0 || added.has(scenario.environment));
  for (const [index, hit] of open.entries()) if (index < news || isInFull(hit)) after.add(hit.id);
  for (const { hits } of [...back, ...gone]) for (const id of hits) after.delete(id);
  return after;
}
