import { type Flip, type ScenarioRef, scenarioKey } from './flip.ts';
import { Incident } from './incident.ts';
import { isBadStatus } from './status.ts';

interface Past {
  /** The incident that it is in now. */
  open?: Incident | undefined;
  /** The flips into each incident that it is or was in. */
  readonly hits: Map<Incident, Flip[]>;
}

/** All incidents, folded from flips one by one. */
export class IncidentBook {
  readonly #byId = new Map<number, Incident>();
  readonly #open = new Map<number, Incident>();
  readonly #pasts = new Map<string, Past>();

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
    return this.#pasts.get(scenarioKey(scenario))?.open !== undefined;
  }

  /** Open incidents that something of this host or environment is or was part of, in order. */
  near(hostOrEnvironment: string): Incident[] {
    return this.open.filter((one) => one.isNear(hostOrEnvironment)).sort((a, b) => a.id - b.id);
  }

  /** The incidents that a scenario is or was in, those that are open first, with the flips into them. */
  of(scenario: ScenarioRef): (readonly [Incident, hits: readonly Flip[]])[] {
    const { hits = [] } = this.#pasts.get(scenarioKey(scenario)) ?? {};
    return [...hits].sort(([a], [b]) => Number(b.until === undefined) - Number(a.until === undefined));
  }

  /** How often a scenario went into an incident from `since` on. */
  hitsFrom(scenario: ScenarioRef, since: number): number {
    return this.of(scenario).flatMap(([, hits]) => hits.filter(({ at }) => at >= since)).length;
  }

  /** The incidents that the flip left, opened or joined. */
  add(flip: Flip): Incident[] {
    const name = scenarioKey(flip.scenario);
    const past: Past = this.#pasts.get(name) ?? { hits: new Map() };
    this.#pasts.set(name, past);
    const left = isBadStatus(flip.from) ? past.open : undefined;
    if (left) {
      past.open = undefined;
      left.leave(flip);
      if (left.until !== undefined) this.#open.delete(left.id);
    }
    return [...(left ? [left] : []), ...(isBadStatus(flip.to) ? [this.#hit(flip, past)] : [])];
  }

  /** One that was over goes on where it is told as open and fails again. */
  #hit(flip: Flip, past: Past): Incident {
    const incident = this.#byId.get(flip.incident ?? this.#sameAddress(flip) ?? flip.id) ?? new Incident(flip);
    past.open = incident;
    past.hits.set(incident, [...(past.hits.get(incident) ?? []), flip]);
    incident.hit(flip);
    this.#byId.set(incident.id, incident);
    this.#open.set(incident.id, incident);
    return incident;
  }

  /** Earlier versions wrote down no incident: one address was one. */
  #sameAddress({ scenario, cause }: Flip): number | undefined {
    return this.open.find(
      ({ environment, cause: of }) => environment === scenario.environment && of.address === cause.address,
    )?.id;
  }
}
