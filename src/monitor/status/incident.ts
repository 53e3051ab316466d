import type { Cause, Flip, ScenarioRef } from './flip.ts';

/** A span in which scenarios with one cause were down or could no longer run, derived from flips. */
export interface Incident {
  /** The flip that opened it. */
  readonly id: number;
  /** That of the first flip; `extentOf` has all. */
  readonly environment: string;
  /** That of the first flip; what further flips add is in `extentOf`. */
  readonly cause: Cause;
  /** Its start: the earliest `since` of its scenarios. */
  readonly since: number;
  readonly until?: number;
  /** Every flip into it, in order. */
  readonly hits: readonly Flip[];
  /** Every flip out of it, in order. */
  readonly leaves: readonly Flip[];
  /** Scenarios that are still in it. */
  readonly open: readonly ScenarioRef[];
}

const nameOf = ({ environment, title }: ScenarioRef) => `${environment}\n${title}`;

/** The latest hit of each scenario: one may have gone down more than once. */
export function latestHits({ hits }: Pick<Incident, 'hits'>): Flip[] {
  return [...new Map(hits.map((flip) => [nameOf(flip.scenario), flip])).values()];
}

/** The latest hits of the scenarios that are still down. */
export function openHits(incident: Pick<Incident, 'hits' | 'open'>): Flip[] {
  const isOpen = openIn(incident);
  return latestHits(incident).filter(({ scenario }) => isOpen(scenario));
}

/** Tells whether a scenario is still in the incident. */
export function openIn({ open }: Pick<Incident, 'open'>): (scenario: ScenarioRef) => boolean {
  const names = new Set(open.map(nameOf));
  return (scenario) => names.has(nameOf(scenario));
}

/** Whether nothing usable came back, so that every scenario of the address fails with it. */
export function isConnection({ kind, pattern }: Cause): boolean {
  return kind === 'host' || (pattern !== undefined && pattern.phase !== 'response');
}

/** The flips to and from these states open and end incidents. */
const isBad = (status: Flip['to']) => status === 'down' || status === 'skipped';

/** Folds flips into incidents, one at a time and in order of their ids. */
export class IncidentBook {
  readonly #byId = new Map<number, Incident>();
  readonly #open = new Map<number, Incident>();
  readonly #openByScenario = new Map<string, number>();

  get all(): IterableIterator<Incident> {
    return this.#byId.values();
  }

  get open(): IterableIterator<Incident> {
    return this.#open.values();
  }

  get(id: number): Incident | undefined {
    return this.#byId.get(id);
  }

  /** The incidents that the flip left, opened or joined. */
  add(flip: Flip): Incident[] {
    const left = isBad(flip.from) ? this.#leave(flip) : undefined;
    return [...(left ? [left] : []), ...(isBad(flip.to) ? [this.#hit(flip)] : [])];
  }

  #hit(flip: Flip): Incident {
    const known = this.#open.get(flip.incident ?? this.#sameAddress(flip) ?? flip.id);
    const { environment } = flip.scenario;
    const incident: Incident = known
      ? {
          ...known,
          since: Math.min(known.since, flip.since),
          hits: [...known.hits, flip],
          open: [...known.open, flip.scenario],
        }
      : {
          id: flip.id,
          environment,
          cause: flip.cause,
          since: flip.since,
          hits: [flip],
          leaves: [],
          open: [flip.scenario],
        };
    this.#openByScenario.set(nameOf(flip.scenario), incident.id);
    return this.#keep(incident);
  }

  /** Earlier versions wrote down no incident: one address was one. */
  #sameAddress({ scenario, cause }: Flip): number | undefined {
    for (const { id, environment, cause: known } of this.#open.values())
      if (environment === scenario.environment && known.address === cause.address) return id;
    return undefined;
  }

  #leave(flip: Flip): Incident | undefined {
    const known = this.#open.get(this.#openByScenario.get(nameOf(flip.scenario)) ?? -1);
    if (!known) return undefined;
    this.#openByScenario.delete(nameOf(flip.scenario));
    const open = known.open.filter((scenario) => nameOf(scenario) !== nameOf(flip.scenario));
    const leaves = [...known.leaves, flip];
    if (open.length > 0) return this.#keep({ ...known, leaves, open });
    // A calendar that was set back can't end it before it began.
    return this.#keep({ ...known, leaves, open, until: Math.max(known.since, flip.since) });
  }

  #keep(incident: Incident): Incident {
    this.#byId.set(incident.id, incident);
    if (incident.until === undefined) this.#open.set(incident.id, incident);
    else this.#open.delete(incident.id);
    return incident;
  }
}
