import { addressesOf, hostOf } from './extent.ts';
import type { Cause, Flip, ScenarioRef } from './flip.ts';
import { type Incident, nameOf } from './incident.ts';
import { OpenPart } from './open-part.ts';
import { isBadStatus } from './status.ts';

/** An incident as it grows: flips are appended, and what is open is counted along with them. */
class GrowingIncident implements Incident {
  readonly id: number;
  readonly environment: string;
  readonly cause: Cause;
  readonly hits: Flip[] = [];
  readonly leaves: Flip[] = [];
  readonly part = new OpenPart();
  /** Every environment that is, or was, part of it, and those that were seen to fail with them. */
  readonly environments = new Set<string>();
  since: number;
  until?: number;

  constructor({ id, scenario, cause, since }: Flip) {
    this.id = id;
    this.environment = scenario.environment;
    this.cause = cause;
    this.since = since;
  }

  get open(): readonly ScenarioRef[] {
    return this.part.scenarios;
  }
}

export type { GrowingIncident };

/** All incidents, folded from flips one by one. */
export class IncidentBook {
  readonly #byId = new Map<number, GrowingIncident>();
  readonly #open = new Map<number, GrowingIncident>();
  readonly #openByScenario = new Map<string, number>();
  readonly #hitsOf = new Map<string, Flip[]>();
  readonly #ofScenario = new Map<string, Map<number, number[]>>();
  /** Open incidents by what makes others join them: a host, or an environment. */
  readonly #near = new Map<string, Set<GrowingIncident>>();

  get all(): IterableIterator<Incident> {
    return this.#byId.values();
  }

  get open(): IterableIterator<GrowingIncident> {
    return this.#open.values();
  }

  get(id: number): Incident | undefined {
    return this.#byId.get(id);
  }

  /** The incident that a scenario is in now. */
  openOf(scenario: ScenarioRef): number | undefined {
    return this.#openByScenario.get(nameOf(scenario));
  }

  /** Open incidents that something of this host or environment is or was part of, in order. */
  near(hostOrEnvironment: string): GrowingIncident[] {
    return [...(this.#near.get(hostOrEnvironment) ?? [])].sort((a, b) => a.id - b.id);
  }

  /** The incidents that a scenario is or was in, those that are open first, with the flips into them. */
  of(scenario: ScenarioRef): { readonly incident: GrowingIncident; readonly hits: readonly number[] }[] {
    return [...(this.#ofScenario.get(nameOf(scenario)) ?? [])]
      .flatMap(([id, hits]) => {
        const incident = this.#byId.get(id);
        return incident ? [{ incident, hits }] : [];
      })
      .sort((a, b) => Number(b.incident.until === undefined) - Number(a.incident.until === undefined));
  }

  /** Every environment that is, or was, part of an incident, and those that were seen to fail with them. */
  environmentsOf(incident: Incident | undefined): ReadonlySet<string> {
    return this.#byId.get(incident?.id ?? -1)?.environments ?? new Set();
  }

  /** How often a scenario went into an incident from `since` on. */
  hitsFrom(scenario: ScenarioRef, since: number): number {
    return (this.#hitsOf.get(nameOf(scenario)) ?? []).filter(({ at }) => at >= since).length;
  }

  /** The incidents that the flip left, opened or joined. */
  add(flip: Flip): Incident[] {
    const left = isBadStatus(flip.from) ? this.#leave(flip) : undefined;
    return [...(left ? [left] : []), ...(isBadStatus(flip.to) ? [this.#hit(flip)] : [])];
  }

  /** One that was over goes on where it is told as open and fails again. */
  #hit(flip: Flip): Incident {
    const incident = this.#byId.get(flip.incident ?? this.#sameAddress(flip) ?? flip.id) ?? new GrowingIncident(flip);
    const name = nameOf(flip.scenario);
    this.#hitsOf.set(name, [...(this.#hitsOf.get(name) ?? []), flip].slice(-MOST_HITS));
    const own = this.#ofScenario.get(name) ?? new Map<number, number[]>();
    this.#ofScenario.set(name, own.set(incident.id, [...(own.get(incident.id) ?? []), flip.id]));
    this.#openByScenario.set(name, incident.id);
    incident.hits.push(flip);
    incident.part.add(flip);
    incident.since = Math.min(incident.since, flip.since);
    delete incident.until;
    this.#byId.set(incident.id, incident);
    if (!this.#open.has(incident.id)) this.#reopen(incident);
    this.#noteNear(incident, flip);
    return incident;
  }

  /** Earlier versions wrote down no incident: one address was one. */
  #sameAddress({ scenario, cause }: Flip): number | undefined {
    for (const { id, environment, cause: of } of this.#open.values())
      if (environment === scenario.environment && of.address === cause.address) return id;
    return undefined;
  }

  #leave(flip: Flip): Incident | undefined {
    const name = nameOf(flip.scenario);
    const incident = this.#open.get(this.#openByScenario.get(name) ?? -1);
    if (!incident) return undefined;
    this.#openByScenario.delete(name);
    incident.leaves.push(flip);
    incident.part.remove(flip);
    if (!incident.part.isEmpty) return incident;
    // A calendar that was set back can't end it before it began.
    incident.until = Math.max(incident.since, flip.since);
    this.#open.delete(incident.id);
    for (const hit of incident.hits) for (const key of keysOf(hit)) this.#near.get(key)?.delete(incident);
    return incident;
  }

  #reopen(incident: GrowingIncident): void {
    this.#open.set(incident.id, incident);
    for (const hit of incident.hits) this.#noteNear(incident, hit);
  }

  #noteNear(incident: GrowingIncident, hit: Flip): void {
    for (const name of [hit.scenario.environment, ...(hit.cause.pattern?.others ?? [])])
      incident.environments.add(name);
    for (const key of keysOf(hit)) this.#near.set(key, (this.#near.get(key) ?? new Set()).add(incident));
  }
}

function keysOf(hit: Flip): string[] {
  return [hit.scenario.environment, ...new Set(addressesOf(hit).map(hostOf))];
}

/** Of each scenario, hits whose times are kept; more make no difference. */
const MOST_HITS = 16;
