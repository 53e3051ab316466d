import { type Cause, type Failing, isSame, widest } from '../../run/index.ts';
import { causeKey } from './cause.ts';
import { type Flip, type ScenarioRef, scenarioKey } from './flip.ts';
import { isBadStatus } from './status.ts';

/**
 * A scenario of an incident. `hit`: the change of status with which it last joined the incident. `leave`: the change with which it left
 * after that, if it did.
 */
export interface Member {
  readonly hit: Flip;
  readonly leave?: Flip;
  /** If the scenario left the incident and then joined it again: the id of the change of status with which it had left. */
  readonly left?: number | undefined;
}

/**
 * How a scenario left an incident. judged: it can be judged again · quiet: its environment is in maintenance · elsewhere: it fails for
 * another cause now.
 */
export type Leaving = 'recovered' | 'judged' | 'quiet' | 'unproven' | 'unmonitored' | 'unjudged' | 'elsewhere';

/**
 * How a scenario left an incident. `isBack`, `isThere` and `isQuiet` describe the scenario now: it is well, it is still monitored, its
 * environment is in maintenance. By default, only the change of status matters.
 */
export function leavingOf(
  { from, to }: Pick<Flip, 'from' | 'to'>,
  { isBack = to === 'up' || to === 'degraded', isThere = true, isQuiet = false } = {},
): Leaving {
  if (isBack && to !== 'pending' && to !== 'skipped' && to !== 'unproven')
    return from === 'unjudged' ? 'judged' : 'recovered';
  // During maintenance, notices report only a recovery. Any other way to leave the incident becomes `quiet`.
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
  /** The name that the person entered. */
  readonly person: string;
  /** The person's note; empty if there is none. */
  readonly text: string;
  /** Only with `acknowledged`: the id of the last change of status before the acknowledgement, which covers all changes up to this one. */
  readonly hit?: number;
}

/** The record of the notices about an incident to one route. */
export interface Notified {
  /** When the route got its last notice, on the monotonic clock, in ms. */
  readonly at: number;
  /** True if the last notice to the route said that the incident is resolved. */
  readonly isOver: boolean;
  /**
   * The failures that notices named, by environment and place (address, area or credential). If a scenario fails at one of these places
   * later, the route gets a notice about that only if the new cause is wider, or if the place had recovered.
   */
  readonly said: Readonly<Record<string, Said>>;
  /**
   * Id of the incident's last change of status at the time of the last notice of the kind `down` or `more`. An acknowledgement of this
   * change covers all earlier changes, too.
   */
  readonly news: number;
  /** Id of the incident's last change of status at the time of the notice `down` with which the current series of notices began. */
  readonly before: number;
}

interface Said {
  readonly width: number;
  /** A later notice said that this place has recovered. */
  readonly isBack?: true;
}

/**
 * The scenarios that were down, degraded or could not be judged for the same cause in a span of time. An incident is derived from changes
 * of status.
 */
export class Incident {
  /** The id of the change of status that opened the incident. */
  readonly id: number;
  /** Every change of status with which a scenario joined the incident, in order. */
  readonly hits: Flip[] = [];
  /** Every change of status with which a scenario left the incident, in order. */
  readonly leaves: Flip[] = [];
  /** Start of the incident: the earliest `since` of its scenarios; epoch, in ms. */
  since: number;
  until: number | undefined;
  /** The acknowledgement in force; absent if nobody acknowledged the incident, or somebody withdrew it. */
  acknowledged: IncidentEvent | undefined;
  /** For each route, by its name: the record of its notices. */
  readonly notified = new Map<string, Notified>();
  readonly #members = new Map<string, Member>();
  readonly #causes = new Map<string, Failing>();
  /** `open` and `cause` since the last change: every run of a scenario asks for them, and an incident may have thousands of scenarios. */
  #open: readonly Flip[] | undefined;
  #cause: Cause | undefined;

  constructor({ id, since }: Flip) {
    this.id = id;
    this.since = since;
  }

  /** Applies an action of a person to the incident. */
  handle(event: IncidentEvent): void {
    if (event.kind !== 'note') this.acknowledged = event.kind === 'acknowledged' ? event : undefined;
  }

  /** Adds a scenario to the incident. If the incident was resolved, it is open again. */
  hit(flip: Flip): void {
    this.hits.push(flip);
    this.since = Math.min(this.since, flip.since);
    this.until = undefined;
    const key = scenarioKey(flip.scenario);
    this.#members.set(key, { hit: flip, left: this.#members.get(key)?.leave?.id });
    this.#causes.set(causeKey(flip), flip);
    this.#open = this.#cause = undefined;
  }

  /** Notes that a scenario left the incident. The incident ends when its last scenario leaves. */
  leave(flip: Flip): void {
    const key = scenarioKey(flip.scenario);
    this.leaves.push(flip);
    this.#members.set(key, { ...(this.#members.get(key) as Member), leave: flip });
    this.#open = this.#cause = undefined;
    // If somebody sets the wall clock back, the incident must not end before it began.
    if (this.open.length === 0) this.until = Math.max(this.since, flip.since);
  }

  /** The id of the last change of status with which a scenario joined or left the incident. */
  get last(): number {
    return Math.max(this.hits.at(-1)?.id ?? 0, this.leaves.at(-1)?.id ?? 0);
  }

  /** Every scenario of the incident, in the order in which they first joined. */
  get members(): readonly Member[] {
    return [...this.#members.values()];
  }

  get latest(): readonly Flip[] {
    return this.members.map(({ hit }) => hit);
  }

  /** The scenarios that are still in the incident. For each, the list has the change of status with which it last joined. */
  get open(): readonly Flip[] {
    this.#open ??= this.members.flatMap(({ hit, leave }) => (leave ? [] : [hit]));
    return this.#open;
  }

  /** The scenarios that the incident is about: if it is resolved, all of its scenarios; otherwise those that are still in it. */
  get subject(): readonly Flip[] {
    return this.until === undefined ? this.open : this.latest;
  }

  /**
   * The cause that affects the most: a host before an address, an address before an operation. It explains the other causes in this
   * incident.
   */
  get cause(): Cause {
    this.#cause ??= widest(this.subject.map(({ cause }) => cause));
    return this.#cause;
  }

  /**
   * Duration of the incident, in ms, from its first failure until the last scenario left, or until `now` while it is open. `now` is on the
   * monotonic clock, in ms.
   */
  lastedMs(now = 0): number {
    const from = Math.min(...this.hits.map(({ steady }) => steady));
    const to = this.until === undefined ? now : (this.leaves.at(-1)?.steady ?? from);
    return Math.max(0, to - from);
  }

  /** The environment that failed first. */
  get environment(): string {
    return this.hits[0]?.scenario.environment ?? '';
  }

  /** Whether some route has got a notice about the incident, but none about its end. */
  get isNotified(): boolean {
    return this.notified.values().some(({ isOver }) => !isOver);
  }

  takes(failure: Failing): boolean {
    return this.#causes.values().some((own) => isSame(own, failure));
  }

  /**
   * Whether both incidents have the same cause, which ended and then returned. An operation and its address are different causes, and so
   * are two operations.
   */
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

/** All incidents, built by adding one change of status at a time. */
export class IncidentBook {
  readonly #byId = new Map<number, Incident>();
  /** The incident that each scenario is in now, by the scenario's key. */
  readonly #holding = new Map<string, Incident>();

  get all(): Incident[] {
    return [...this.#byId.values()];
  }

  get open(): Incident[] {
    return this.all.filter(({ until }) => until === undefined);
  }

  /** All scenarios that are in an incident now. For each, the list has the change of status with which it last joined. */
  get allOpen(): Flip[] {
    return this.open.flatMap(({ open }) => open);
  }

  /** Incidents that are open, and resolved incidents about whose end some route has not got a notice yet. */
  get unsettled(): Incident[] {
    return this.all.filter(({ until, isNotified }) => until === undefined || isNotified);
  }

  get(id: number): Incident | undefined {
    return this.#byId.get(id);
  }

  /** The incident that a scenario is in now, if any. */
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

  /**
   * How often a route got a notice that the cause of this incident has ended, from the time `from` on, which is on the monotonic clock, in
   * ms.
   */
  recoveriesFrom(incident: Incident, route: string, from: number): number {
    return this.all.filter((one) => {
      const { isOver = false, at = 0 } = one.notified.get(route) ?? {};
      return isOver && at >= from && one.isLike(incident);
    }).length;
  }

  /**
   * The open incident that has the same cause as a failure, so that the failure joins it; `undefined` if the failure opens a new incident.
   * A resolved incident is also possible, as long as some route has not got a notice about its end.
   */
  joinedBy(failure: Failing): Incident | undefined {
    const alike = this.unsettled.filter((one) => one.takes(failure));
    return alike.find(({ until }) => until === undefined) ?? alike[0];
  }
}
