import { type Cause, type Failing, isSame, widest } from '../../run/index.ts';
import { causeKey } from './cause.ts';
import { type Flip, type ScenarioRef, scenarioKey } from './flip.ts';
import { isBadStatus } from './status.ts';

/** A scenario of an incident: the change of status with which it last joined, and the change with which it left, if it has left. */
export interface Member {
  readonly hit: Flip;
  readonly leave?: Flip;
  /** If the scenario left and came back: the id of the change of status with which it left. */
  readonly left?: number | undefined;
}

/**
 * How a scenario left an incident. judged: it can be judged again · quiet: its environment is in maintenance · elsewhere: it fails for
 * another cause now.
 */
export type Leaving = 'recovered' | 'judged' | 'quiet' | 'unproven' | 'unmonitored' | 'unjudged' | 'elsewhere';

/**
 * How a scenario left an incident. Without options, only the change of status decides. `isBack`: the scenario is well now. `isThere`: it is
 * still monitored. `isQuiet`: its environment is in maintenance.
 */
export function leavingOf(
  { from, to }: Pick<Flip, 'from' | 'to'>,
  { isBack = to === 'up' || to === 'degraded', isThere = true, isQuiet = false } = {},
): Leaving {
  if (isBack && to !== 'pending' && to !== 'skipped' && to !== 'unproven')
    return from === 'unjudged' ? 'judged' : 'recovered';
  // During maintenance, a notice doesn't report how a scenario left, unless it recovered.
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
  /** With `acknowledged`: the id of the last change of status that the acknowledgement covers. */
  readonly hit?: number;
}

/** The record of the notices about an incident to one route. */
export interface Told {
  /** When the route got its last notice, on the monotonic clock, in ms. */
  readonly at: number;
  /** The route was notified that the incident is resolved. */
  readonly isOver: boolean;
  /**
   * The failures that notices named, by environment and place (address, area or credential). A later failure at such a place gets no notice
   * if its cause is no wider.
   */
  readonly said: Readonly<Record<string, Said>>;
  /** Id of the last change of status that the last `down` or `more` reported. An acknowledgement of this change covers all earlier ones. */
  readonly news: number;
  /** Id of the incident's last change of status before the `down` that began this series of notices. */
  readonly before: number;
}

interface Said {
  readonly width: number;
  /** A later notice reported this place as recovered. */
  readonly isBack?: true;
}

/**
 * Scenarios that were down, degraded or could not be judged for one cause in a span of time. An incident is derived from changes of status.
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
  readonly told = new Map<string, Told>();
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

  /** Adds a scenario. A resolved incident becomes open again. */
  hit(flip: Flip): void {
    this.hits.push(flip);
    this.since = Math.min(this.since, flip.since);
    this.until = undefined;
    const key = scenarioKey(flip.scenario);
    this.#members.set(key, { hit: flip, left: this.#members.get(key)?.leave?.id });
    this.#causes.set(causeKey(flip), flip);
    this.#open = this.#cause = undefined;
  }

  /** Notes that a scenario left the incident. When the last one leaves, the incident ends. */
  leave(flip: Flip): void {
    const key = scenarioKey(flip.scenario);
    this.leaves.push(flip);
    this.#members.set(key, { ...(this.#members.get(key) as Member), leave: flip });
    this.#open = this.#cause = undefined;
    // If the wall clock was set back, the incident still doesn't end before it began.
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

  /** The scenarios that are still in the incident, each as the change of status with which it last joined. */
  get open(): readonly Flip[] {
    this.#open ??= this.members.flatMap(({ hit, leave }) => (leave ? [] : [hit]));
    return this.#open;
  }

  /** The scenarios that the incident is about: those that are still in it, or all of them if the incident is resolved. */
  get subject(): readonly Flip[] {
    return this.until === undefined ? this.open : this.latest;
  }

  /**
   * The cause in this incident that affects the most: a host before an address, an address before an operation. The other causes follow
   * from it.
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

  /** Whether a route was notified of the incident, and not yet of its end. */
  get isTold(): boolean {
    return this.told.values().some(({ isOver }) => !isOver);
  }

  takes(failure: Failing): boolean {
    return this.#causes.values().some((own) => isSame(own, failure));
  }

  /**
   * Whether both incidents have the same cause, which has ended and come back. An operation and its address are different causes, as are
   * two operations.
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

  /** All scenarios that are in an incident now, each as the change of status with which it last joined. */
  get allOpen(): Flip[] {
    return this.open.flatMap(({ open }) => open);
  }

  /** Incidents that are open, or about whose end some route has not been notified. */
  get unsettled(): Incident[] {
    return this.all.filter(({ until, isTold }) => until === undefined || isTold);
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

  /** How often a route was notified that the cause of this incident has ended, since `from`, which is on the monotonic clock, in ms. */
  recoveriesFrom(incident: Incident, route: string, from: number): number {
    return this.all.filter((one) => {
      const { isOver = false, at = 0 } = one.told.get(route) ?? {};
      return isOver && at >= from && one.isLike(incident);
    }).length;
  }

  /**
   * The incident that a failure joins because it has the same cause; `undefined` if the failure opens a new incident. A failure also joins a resolved
   * incident while some route has not been notified that the incident is resolved.
   */
  joinedBy(failure: Failing): Incident | undefined {
    const alike = this.unsettled.filter((one) => one.takes(failure));
    return alike.find(({ until }) => until === undefined) ?? alike[0];
  }
}
