import type { Flip, ScenarioRef } from './flip.ts';
import { addressesOf, hostOf, type Incident, isConnection, type Member } from './incident.ts';

/** Everything else that a notice depends on, at one moment. */
export interface Moment {
  /** Epoch, in ms. */
  readonly now: number;
  /** Muted by somebody. */
  readonly isMuted: boolean;
  /** Somebody took on what was open then. */
  readonly acknowledgedAt?: number | undefined;
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
export const CORRECTION_MS = 1_000;

/** Compares what is true of an incident with what a channel knows of it. */
export function compare(incident: Incident, hits: ReadonlySet<number>, moment: Moment) {
  const { now, isQuiet, isElsewhere, isMonitored, failures, concernsFrom } = moment;
  /** Flips that the channel knows, and those that it can conclude. */
  const known = new Set(hits);
  /** When the first of what recovered has been up for long enough to be told, or the first failure is for this channel too. */
  let settlesAt = Number.POSITIVE_INFINITY;
  const isBelieved = (member: Member) => member.hits.some((id) => hits.has(id));
  const members = incident.members.filter((member) => {
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
  /** `held` has recovered, but not for long enough to be told. */
  const [back, gone, held]: [Member[], Member[], Member[]] = [[], [], []];
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
  /** What is open, without what is in maintenance; `news` is how much of that the channel doesn't know. */
  const audible: readonly Flip[] = [...unheard, ...heard];
  return { audible, news: unheard.length, back, gone, known, isOver, isKeptBack, held, settlesAt };
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
