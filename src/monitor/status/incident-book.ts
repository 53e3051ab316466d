import { addressesOf, type Flip, familyOf, hostOf, isConnection, type ScenarioRef, scenarioKey } from './flip.ts';
import { Incident } from './incident.ts';
import { isBadStatus } from './status.ts';

/** All incidents, folded from flips one by one. */
export class IncidentBook {
  readonly #byId = new Map<number, Incident>();
  readonly #open = new Map<number, Incident>();
  /** Of each scenario, the flips into each incident that it is or was in. */
  readonly #hits = new Map<string, Map<Incident, Flip[]>>();

  get all(): Incident[] {
    return [...this.#byId.values()];
  }

  get open(): Incident[] {
    return [...this.#open.values()];
  }

  get(id: number): Incident | undefined {
    return this.#byId.get(id);
  }

  isOpen(scenario: ScenarioRef): boolean {
    return this.#openOf(scenario) !== undefined;
  }

  /** Open incidents that something of this host or environment is or was part of, in order. */
  near(hostOrEnvironment: string): Incident[] {
    return this.open.filter((one) => one.isNear(hostOrEnvironment)).sort((a, b) => a.id - b.id);
  }

  /** The incidents that a scenario is or was in, those that are open first, with the flips into them. */
  of(scenario: ScenarioRef): (readonly [Incident, hits: readonly Flip[]])[] {
    const hits = this.#hits.get(scenarioKey(scenario)) ?? [];
    return [...hits].sort(([a], [b]) => Number(b.until === undefined) - Number(a.until === undefined));
  }

  /** The flips of a scenario into incidents from `since` on. */
  hitsFrom(scenario: ScenarioRef, since: number): readonly Flip[] {
    return this.of(scenario).flatMap(([, hits]) => hits.filter(({ at }) => at >= since));
  }

  /** The incidents that the flip left, opened or joined. */
  add(flip: Flip): Incident[] {
    const left = isBadStatus(flip.from) ? this.#openOf(flip.scenario) : undefined;
    left?.leave(flip);
    if (left?.until !== undefined) this.#open.delete(left.id);
    return [...(left ? [left] : []), ...(isBadStatus(flip.to) ? [this.#hit(flip)] : [])];
  }

  /** One that was over goes on where it is told as open and fails again. */
  #hit(flip: Flip): Incident {
    const incident = this.#byId.get(flip.incident ?? this.#sameAddress(flip) ?? flip.id) ?? new Incident(flip);
    const key = scenarioKey(flip.scenario);
    const hits = this.#hits.get(key) ?? new Map<Incident, Flip[]>();
    this.#hits.set(key, hits.set(incident, [...(hits.get(incident) ?? []), flip]));
    incident.hit(flip);
    this.#byId.set(incident.id, incident);
    this.#open.set(incident.id, incident);
    return incident;
  }

  #openOf(scenario: ScenarioRef): Incident | undefined {
    return this.#hits
      .get(scenarioKey(scenario))
      ?.keys()
      .find((incident) => incident.holds(scenario));
  }

  /** Earlier versions wrote down no incident: one address was one. */
  #sameAddress({ scenario, cause }: Flip): number | undefined {
    return this.open.find(
      ({ environment, cause: of }) => environment === scenario.environment && of.address === cause.address,
    )?.id;
  }
}

export interface JoinRule {
  /** How far apart failures with one cause can be noticed: an interval and a confirmation, in ms. */
  readonly withinMs: number;
  readonly isMuted: (incident: Incident) => boolean;
  /** Whether notices of this environment are kept back now: its failures stand for no other environment. */
  readonly isMaintenance: (environment: string) => boolean;
}

type NewFlip = Pick<Flip, 'scenario' | 'since' | 'cause' | 'reason' | 'verdict'>;

/**
 * The incident that a scenario joins, because it failed for the same reason; `undefined`: it opens one. What fails again before its
 * recovery was told belongs where it was, though that is over.
 */
export function joinedIncident(flip: NewFlip, book: IncidentBook, rule: JoinRule): Incident | undefined {
  const { cause, scenario } = flip;
  const isFamily = (one: Incident) => familyOf(one.cause) === familyOf(cause);
  const before = book.of(scenario).filter(([incident]) => isFamily(incident));
  const again = before.find(([incident, hits]) => incident.isBelieved(hits));
  if (again) return again[0];
  const isNear = ({ since }: Pick<Flip, 'since'>) => Math.abs(flip.since - since) <= rule.withinMs;
  // A muted incident takes in only what its notice already named, so that nothing new stays silent.
  const isAudible = (one: Incident) => !rule.isMuted(one);
  const isSoon = (one: Incident) => one.some(isNear) || before.some(([incident]) => incident === one);
  // Its environment was seen to fail with one that is still down, just now; one that is muted must have been told, or nobody knows of it.
  const isNamed = (one: Incident) =>
    one.naming(scenario.environment).some((hit) => isNear(hit) && (isAudible(one) || one.isBelieved([hit])));
  const own = book
    .near(scenario.environment)
    .filter((one) => isFamily(one) && one.hasEnvironment(scenario.environment));
  const joined = joinedWithin(flip, own, isAudible, isSoon);
  if (joined || cause.kind === 'skipped' || rule.isMaintenance(scenario.environment)) return joined;
  const isQuiet = (one: Incident) => one.some((hit) => rule.isMaintenance(hit.scenario.environment));
  return sharing(flip, book)
    .filter((one) => isFamily(one) && isSameCause(flip, one) && !isQuiet(one))
    .find((one) => isNamed(one) || (isAudible(one) && isSoon(one)));
}

type Claim = (one: Incident) => boolean;

/** Of those that are open in its own environment. */
function joinedWithin(flip: NewFlip, own: readonly Incident[], isAudible: Claim, isSoon: Claim): Incident | undefined {
  const { cause } = flip;
  // Reasons of one lack differ: they count what is used up.
  if (familyOf(cause) !== 'down')
    return own.find((one) => isAudible(one) && (cause.kind === 'unjudged' || coversAddress(flip, one)));
  const alike = own.filter((one) => isConnection(one.cause) === isConnection(cause));
  const covering = isConnection(cause)
    ? alike.find((one) => one.hasPattern(cause) && coversAddress(flip, one, isAudible(one)))
    : alike.find((one) => isAudible(one) && coversAddress(flip, one));
  return covering ?? alike.find((one) => isAudible(one) && one.hasPattern(cause) && isSoon(one));
}

/** Open incidents of which something has a host in common with it, or, where nothing could be judged, all of them. */
function sharing(flip: NewFlip, book: IncidentBook): Incident[] {
  if (flip.cause.kind === 'unjudged') return book.open;
  return [...new Set(hostsOf(flip).flatMap((host) => book.near(host)))];
}

/** In another environment: on the same host, which is gone or fails whatever is asked, or at the same address. */
function isSameCause(flip: NewFlip, one: Incident): boolean {
  const { cause, scenario, reason, verdict } = flip;
  // The suite itself is kept from judging, for one reason: this machine is offline, or the same limit holds everywhere.
  if (cause.kind === 'unjudged') return reason !== undefined && one.some((hit) => hit.reason === reason);
  // Nothing usable came back, or an error of the server: other environments on the host have it for the same reason.
  if (isConnection(cause) || cause.pattern?.code.startsWith('5'))
    return (
      isConnection(one.cause) === isConnection(cause) &&
      one.hasPattern(cause) &&
      hostsOf(flip).some((host) => one.hasHost(host))
    );
  // One expectation, broken at one address: the service broke it, whoever asks.
  return (
    cause.pattern === undefined &&
    coversAddress(flip, one) &&
    one.some((hit) => !hit.cause.pattern && hit.scenario.title === scenario.title && hit.verdict === verdict)
  );
}

/** The first address of a flip is that of its own call; others were seen to fail with it. Of one that is muted, somebody was told of the address. */
function coversAddress(flip: NewFlip, one: Incident, isAudible = true): boolean {
  const failing = addressesOf(flip);
  return isAudible
    ? failing.some((address) => one.hasAddress(address))
    : failing.slice(0, 1).some((address) => one.hasAddress(address) && one.hasTold(address));
}

function hostsOf(flip: NewFlip): string[] {
  return [...new Set(addressesOf(flip).map(hostOf))];
}
