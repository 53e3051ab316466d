import { hasPassed } from './elapsed.ts';
import { addressesOf, type Cause, type Flip, familyOf, hostOf, isConnection, type ScenarioRef } from './flip.ts';
import type { Incident, Member } from './incident.ts';
import { isBadStatus } from './status.ts';
import { isLast, isTelling, type NoticeKind, type Told } from './told.ts';

export interface NotificationPolicy {
  readonly remindAfterMs: number;
  /** How long to collect further changes of an incident that was told. */
  readonly gatherMs: number;
  /** Within this time everything has run once more: what recovers together is told together. Default: `gatherMs`. */
  readonly settleMs?: number;
}

/** A notice that is due: the difference between what is true and what a channel was told. */
export interface DueNotice {
  readonly kind: NoticeKind;
  /** What is open and may be told, in full: what the channel doesn't know first. */
  readonly open: readonly Flip[];
  /** How many of them it doesn't know. */
  readonly news: number;
  /** Left since it was told, those that recovered first. */
  readonly ended: readonly Ended[];
  /** Where nothing is open: what is up, and not believed to stay so. */
  readonly flapping?: readonly Flip[];
}

export interface Ended extends Member {
  readonly leave: Flip;
  /** From when on that is believed; epoch, in ms. */
  readonly from: number;
  /** It recovered; otherwise it is no longer monitored, or in another incident. */
  readonly isBack: boolean;
}

export interface Outcome {
  readonly notice?: DueNotice;
  /** What the channel knows afterwards, the notice included. */
  readonly told: ReadonlySet<number>;
}

/** The notice that a channel is due about an incident, if any, and what it knows then. */
export function dueNotice(incident: Incident, told: Told, moment: Moment, policy: NotificationPolicy): Outcome {
  const { now, isMuted } = moment;
  const { last } = told;
  const isTold = isTelling(told);
  const { gatherMs, remindAfterMs, settleMs = gatherMs } = policy;
  const isQuietFor = (ms: number) => !last || hasPassed(ms, last.at, now);
  if (isTold && incident.until === undefined && !isQuietFor(Math.min(gatherMs, remindAfterMs)))
    return { told: told.hits };
  const state = compare(incident, isTold ? told.hits : new Set(), moment);
  const { audible, known, back, gone } = state;
  const wait: Outcome = { told: known };
  const tell = (notice: DueNotice): Outcome => ({
    notice,
    told: isLast(notice.kind) ? new Set<number>() : toldAfter(known, notice),
  });
  if (!isTold)
    return isMuted || audible.length === 0
      ? { told: told.hits }
      : tell({ kind: 'down', open: audible, news: audible.length, ended: [] });
  const flapping = state.isOver ? state.held : [];
  // The maintenance of one environment keeps back no recovery of another.
  if (state.isOver && !state.isKeptBack && flapping.length === 0)
    return tell({ kind: gone.length === 0 ? 'up' : 'over', open: [], news: 0, ended: [...back, ...gone] });
  if (isMuted) return wait;
  const settled = back.filter(({ from }) => hasPassed(settleMs, from, now));
  // Where nothing is left to say for how long it has been down, what recovers is told together.
  const isPart = settled.length + gone.length > 0 && (audible.length > 0 || settled.length === back.length);
  if (isQuietFor(gatherMs) && (state.news > 0 || isPart)) {
    const also = alsoBack([...settled, ...gone], state.isOver ? back : [...back, ...state.held]);
    const ended = [...settled, ...also, ...gone];
    const notice = { open: audible, news: state.news, ended, flapping: flapping.map(({ hit }) => hit) };
    const isRestQuiet = audible.length === 0 && toldAfter(known, { ...notice, kind: 'part' }).size === 0;
    return tell({ ...notice, kind: state.news > 0 ? 'more' : isRestQuiet ? 'over' : 'part' });
  }
  const isCovered = ({ id }: Flip) => id <= moment.acknowledged;
  const isReminded = familyOf(incident.cause) === 'down' && !audible.every(isCovered);
  return isReminded && isQuietFor(remindAfterMs) ? tell({ kind: 'still', open: audible, news: 0, ended: [] }) : wait;
}

/** Where some of an environment is said to be back that was told as a whole, nobody could know of the rest what it does: all that is up is told. */
function alsoBack(ended: readonly Ended[], others: readonly Ended[]): Ended[] {
  const named = new Set(ended.map(({ hit }) => hit.scenario.environment));
  const before = new Set(ended);
  const isTold = ({ hit }: Ended) => isConnection(hit.cause) && named.has(hit.scenario.environment);
  return others.filter((member) => member.isBack && !before.has(member) && isTold(member));
}

/** Environments that are wholly new in a notice, where those that were told before only follow. */
export function addedEnvironments({ kind, open, news }: DueNotice): ReadonlySet<string> {
  const namesOf = (hits: readonly Flip[]) => new Set(hits.map(({ scenario }) => scenario.environment));
  const known = kind === 'more' ? namesOf(open.slice(news)) : new Set<string>();
  return known.size > 0 ? namesOf(open.slice(0, news)).difference(known) : known;
}

/** What a channel knows after a notice: what it says in full, and that the rest has ended. */
function toldAfter(known: ReadonlySet<number>, notice: DueNotice): Set<number> {
  const { kind, open, news, ended } = notice;
  const after = new Set(known);
  const added = addedEnvironments(notice);
  // How far the failures reach that only follow is not said.
  const isInFull = ({ scenario }: Flip) => kind !== 'part' && (added.size === 0 || added.has(scenario.environment));
  for (const [index, hit] of open.entries()) if (index < news || isInFull(hit)) after.add(hit.id);
  for (const { hits } of ended) for (const id of hits) after.delete(id);
  return after;
}

/** Everything else that a notice depends on, at one moment. */
export interface Moment {
  /** Epoch, in ms. */
  readonly now: number;
  readonly isMuted: boolean;
  /** Somebody took on what was open then: the last of these flips; 0: nobody did. */
  readonly acknowledged: number;
  /** Whether an environment is, or was, in maintenance. */
  readonly isQuiet: (environment: string, at: number) => boolean;
  /** Whether a scenario is in another incident now. */
  readonly isElsewhere: (scenario: ScenarioRef) => boolean;
  readonly isMonitored: (scenario: ScenarioRef) => boolean;
  /** Whether the channel believes that a scenario is down, whatever it is now. */
  readonly isBelievedDown: (scenario: ScenarioRef) => boolean;
  /** Its flips into incidents within `FLAPPING_MS`. */
  readonly recentHits: (scenario: ScenarioRef) => readonly Flip[];
  /** Whether the channel is to hear of a failure by now. */
  readonly concerns: (hit: Flip) => boolean;
}

/** Recoveries and changes of what fails again and again are held back; failures within this time count. */
export const FLAPPING_MS = 21_600_000;

const SHORTEST_HOLD_MS = 300_000;

const LONGEST_HOLD_MS = 3_600_000;

/** How long something must have been up before that is told: no time after its first failure, an hour at most. */
export function holdMs(failures: number): number {
  return failures < 2 ? 0 : Math.min(LONGEST_HOLD_MS, SHORTEST_HOLD_MS * 2 ** (failures - 2));
}

/** An environment that was named without having failed itself is no news for this long when it does. */
const NAMED_MS = 600_000;

/** Of what is no longer monitored, no run is the cause. */
const retired: Cause = { kind: 'address', address: '' };

/** Compares what is true of an incident with what a channel knows of it. */
export function compare(incident: Incident, hits: ReadonlySet<number>, moment: Moment) {
  const { now, isQuiet, isElsewhere, isMonitored, isBelievedDown, recentHits, concerns } = moment;
  /** Flips that the channel knows, and those that it can conclude. */
  const known = new Set(hits);
  const isBelieved = (member: Member) => member.hits.some((id) => hits.has(id));
  const members = incident.members.filter((member) => concerns(member.hit) || isBelieved(member));
  const told = () => members.flatMap(({ hit, leave }) => (!leave && hits.has(hit.id) ? [hit] : []));
  let cover: ReturnType<typeof coverOf> | undefined;
  const isCovered = (hit: Flip) => {
    cover ??= coverOf(told());
    return cover(hit);
  };
  /** What is down and can't be judged later has failed once, and changed once. */
  const holdOf = ({ scenario }: Flip, isBack: boolean) => {
    const hits = recentHits(scenario);
    return holdMs(isBack ? hits.filter(({ from }) => !isBadStatus(from)).length : hits.length - 1);
  };
  const isChange = ({ cause, scenario }: Flip) => familyOf(cause) !== 'down' && isBelievedDown(scenario);
  const [unheard, heard]: [Flip[], Flip[]] = [[], []];
  /** `held` has recovered, or changed, but not for long enough to be told. */
  const [back, gone, held]: [Ended[], Ended[], Ended[]] = [[], [], []];
  /** Nothing is open; something ended that can't be told during maintenance. */
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
      } else if (!isChange(hit) || hasPassed(holdOf(hit, false), hit.at, now)) unheard.push(hit);
    } else if (isBelieved(member)) {
      if (isQuiet(environment, now)) isKeptBack = true;
      else if (!isMonitored(hit.scenario))
        gone.push({ ...member, leave: { ...leave, to: 'pending', cause: retired }, from: leave.at, isBack: false });
      else {
        // Where it changed, and recovered before that was told, it is back.
        const isBack = leave.to !== 'pending' && !isElsewhere(hit.scenario);
        const hold = holdOf(leave, isBack);
        const ended = { ...member, leave, from: leave.at + hold, isBack };
        (!hasPassed(hold, leave.at, now) ? held : isBack ? back : gone).push(ended);
      }
    }
  }
  /** What is open, without what is in maintenance; `news` is how much of that the channel doesn't know. */
  const audible: readonly Flip[] = [...unheard, ...heard];
  return { audible, news: unheard.length, back, gone, known, isOver, isKeptBack, held };
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
