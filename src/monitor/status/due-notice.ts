import { CORRECTION_MS, compare, type Moment } from './compared.ts';
import type { Flip } from './flip.ts';
import { familyOf, type Incident, isConnection, type Member } from './incident.ts';

/**
 * down: something broke · more: so did something else, or again · part: some of it recovered · still: a reminder ·
 * up: everything recovered · over: nothing of it is left, though not all of it recovered.
 */
export type NoticeKind = 'down' | 'more' | 'part' | 'still' | 'up' | 'over';

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

/** Whether a channel was told of an incident, and not of its end. */
export function isTelling({ last }: Told): boolean {
  return last !== undefined && !isLast(last.kind);
}

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

/** The notice that a channel is due about an incident, if any, and what it knows then. */
export function dueNotice(incident: Incident, told: Told, moment: Moment, policy: NotificationPolicy): Outcome {
  const { now, isMuted } = moment;
  const { last } = told;
  const isTold = isTelling(told);
  const { gatherMs, remindAfterMs, settleMs = gatherMs } = policy;
  // After the clock was set back, the elapsed time is unknown: one extra reminder is better than none for a year.
  const since = !last || now < last.at - CORRECTION_MS ? Number.NEGATIVE_INFINITY : last.at;
  const gatheredAt = since + Math.min(gatherMs, remindAfterMs);
  if (isTold && incident.until === undefined && now < gatheredAt) return { told: told.hits, askAgainAt: gatheredAt };
  const state = compare(incident, isTold ? told.hits : new Set(), moment);
  const { audible, known, back, gone } = state;
  const wait = (...times: readonly number[]): Outcome => ({
    told: known,
    askAgainAt: Math.min(...times, state.settlesAt),
  });
  const tell = (notice: DueNotice): Outcome => {
    const after = isLast(notice.kind) ? new Set<number>() : toldAfter(known, notice);
    return { notice, told: after, askAgainAt: now };
  };
  if (!isTold)
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
