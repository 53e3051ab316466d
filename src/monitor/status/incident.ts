import { type Cause, type Failing, isSame, widest } from '../../run/index.ts';
import { causeKey } from './cause.ts';
import { type Flip, type ScenarioRef, scenarioKey } from './flip.ts';
import { isBadStatus } from './status.ts';

/** A scenario of an incident: how it last went into it, and how it left, if it did. */
export interface Member {
  readonly hit: Flip;
  readonly leave?: Flip;
  /** The flip with which it had left before, if it came back. */
  readonly left?: number | undefined;
}

/** How a scenario left an incident. */
export type Leaving = 'recovered' | 'judged' | 'quiet' | 'unproven' | 'unmonitored' | 'unjudged' | 'elsewhere';

/** By default, what its flip alone says; `isBack`: it is well now. */
export function leavingOf(
  { from, to }: Pick<Flip, 'from' | 'to'>,
  { isBack = to === 'up' || to === 'degraded', isThere = true, isQuiet = false } = {},
): Leaving {
  if (isBack && to !== 'pending' && to !== 'skipped' && to !== 'unproven')
    return from === 'unjudged' ? 'judged' : 'recovered';
  // Its environment is in maintenance: only that it recovered may be said.
  if (isQuiet) return 'quiet';
  if (to === 'skipped' || to === 'unproven') return 'unproven';
  if (to === 'pending' || !isThere) return 'unmonitored';
  return to === 'unjudged' ? 'unjudged' : 'elsewhere';
}

/** An action of a person on an incident. */
export interface IncidentEvent {
  /** Epoch, in ms. */
  readonly at: number;
  readonly kind: 'note' | 'acknowledged' | 'reopened';
  /** The name that they gave. */
  readonly person: string;
  /** A note; empty where nothing was added. */
  readonly text: string;
  /** With `acknowledged`: the last flip that it covers. */
  readonly hit?: number;
}

/** A route's knowledge of an incident. */
export interface Told {
  /** The last notice, by the steady clock, in ms. */
  readonly at: number;
  /** The route was notified that the incident is resolved. */
  readonly isOver: boolean;
  /** By environment and place: what notices named. A later failure that is no wider is not sent again. */
  readonly said: Readonly<Record<string, Said>>;
  /** The last flip of the last `down` or `more`: who acknowledged it has taken on all before. */
  readonly news: number;
  /** The last flip before the `down` that began this series of notices. */
  readonly before: number;
}

interface Said {
  readonly width: number;
  /** A notice reported it as recovered since. */
  readonly isBack?: true;
}

/** A span in which scenarios with one cause were down or could not be judged: a set of members, made of flips. */
export class Incident {
  /** The flip that opened it. */
  readonly id: number;
  /** Every flip into it, in order. */
  readonly hits: Flip[] = [];
  /** Every flip out of it, in order. */
  readonly leaves: Flip[] = [];
  /** Its start: the earliest `since` of its scenarios. */
  since: number;
  until: number | undefined;
  /** The latest acknowledgement, by the person who took the incident on. */
  acknowledged: IncidentEvent | undefined;
  /** By route. */
  readonly told = new Map<string, Told>();
  readonly #members = new Map<string, Member>();
  readonly #causes = new Map<string, Failing>();

  constructor({ id, since }: Flip) {
    this.id = id;
    this.since = since;
  }

  /** Takes in what somebody did. */
  handle(event: IncidentEvent): void {
    if (event.kind !== 'note') this.acknowledged = event.kind === 'acknowledged' ? event : undefined;
  }

  /** Adds a scenario; an incident that was over reopens. */
  hit(flip: Flip): void {
    this.hits.push(flip);
    this.since = Math.min(this.since, flip.since);
    this.until = undefined;
    const key = scenarioKey(flip.scenario);
    this.#members.set(key, { hit: flip, left: this.#members.get(key)?.leave?.id });
    this.#causes.set(causeKey(flip), flip);
  }

  /** Removes a scenario that is in it; the last one ends the incident. */
  leave(flip: Flip): void {
    const key = scenarioKey(flip.scenario);
    this.leaves.push(flip);
    this.#members.set(key, { ...(this.#members.get(key) as Member), leave: flip });
    // A calendar that was set back can't end it before it began.
    if (this.open.length === 0) this.until = Math.max(this.since, flip.since);
  }

  /** The id of its last flip. */
  get last(): number {
    return Math.max(this.hits.at(-1)?.id ?? 0, this.leaves.at(-1)?.id ?? 0);
  }

  /** Every member, in the order in which they first went into it. */
  get members(): readonly Member[] {
    return [...this.#members.values()];
  }

  get latest(): readonly Flip[] {
    return this.members.map(({ hit }) => hit);
  }

  /** The latest hits of the scenarios that are still in it. */
  get open(): readonly Flip[] {
    return this.members.flatMap(({ hit, leave }) => (leave ? [] : [hit]));
  }

  /** The scenarios that the incident is about: the open ones, or all of them when none is open. */
  get subject(): readonly Flip[] {
    return this.until === undefined ? this.open : this.latest;
  }

  /** The widest of its causes: the others follow from it. */
  get cause(): Cause {
    return widest(this.subject.map(({ cause }) => cause));
  }

  /** From the first failure to the last good look, or to `now`, which is needed while it is open; by the steady clock, in ms. */
  lastedMs(now = 0): number {
    const from = Math.min(...this.hits.map(({ steady }) => steady));
    const to = this.until === undefined ? now : (this.leaves.at(-1)?.steady ?? from);
    return Math.max(0, to - from);
  }

  /** The environment that failed first. */
  get environment(): string {
    return this.hits[0]?.scenario.environment ?? '';
  }

  /** Whether a route believes that it is not over. */
  get isTold(): boolean {
    return this.told.values().some(({ isOver }) => !isOver);
  }

  takes(failure: Failing): boolean {
    return this.#causes.values().some((own) => isSame(own, failure));
  }

  /** Whether both are of one cause that comes and goes. An operation and its address are two causes, as are two operations. */
  isLike(other: Incident): boolean {
    if (other === this) return true;
    const [own, its] = [this, other].map(({ hits }) => widest(hits.map(({ cause }) => cause)));
    if (own?.kind !== its?.kind) return false;
    const isNamed = own?.kind === 'operation';
    return this.#causes
      .values()
      .some((one) =>
        other.#causes.values().some((each) => isSame(one, each) && (!isNamed || one.cause.name === each.cause.name)),
      );
  }
}

/** All incidents, folded from flips one by one. */
export class IncidentBook {
  readonly #byId = new Map<number, Incident>();
  /** The incident that a scenario is in. */
  readonly #holding = new Map<string, Incident>();

  get all(): Incident[] {
    return [...this.#byId.values()];
  }

  get open(): Incident[] {
    return this.all.filter(({ until }) => until === undefined);
  }

  /** The latest hits of all scenarios that are in an incident. */
  get allOpen(): Flip[] {
    return this.open.flatMap(({ open }) => open);
  }

  /** Incidents that are open, or that a route believes to be open. */
  get unsettled(): Incident[] {
    return this.all.filter(({ until, isTold }) => until === undefined || isTold);
  }

  get(id: number): Incident | undefined {
    return this.#byId.get(id);
  }

  /** Whether a scenario is in an incident of what is down, or of what can't be judged. */
  of(scenario: ScenarioRef): Incident | undefined {
    return this.#holding.get(scenarioKey(scenario));
  }

  add(flip: Flip): void {
    const key = scenarioKey(flip.scenario);
    this.#holding.get(key)?.leave(flip);
    this.#holding.delete(key);
    if (!isBadStatus(flip.to)) return;
    const incident = this.#byId.get(flip.incident ?? flip.id) ?? new Incident(flip);
    incident.hit(flip);
    this.#byId.set(incident.id, incident);
    this.#holding.set(key, incident);
  }

  /** How often a route was notified, from `from` on, that this cause has ended; by the steady clock. */
  recoveriesFrom(incident: Incident, route: string, from: number): number {
    return this.all.filter((one) => {
      const { isOver = false, at = 0 } = one.told.get(route) ?? {};
      return isOver && at >= from && one.isLike(incident);
    }).length;
  }

  /**
   * The incident that a failure joins, because it has the same cause; `undefined` if the failure opens an incident. A
   * resolved incident takes the failure in while some route has not been notified that it is resolved.
   */
  joinedBy(failure: Failing): Incident | undefined {
    const alike = this.unsettled.filter((one) => one.takes(failure));
    return alike.find(({ until }) => until === undefined) ?? alike[0];
  }
}
