import type { Cause, Flip, ScenarioRef } from './flip.ts';

/** A span in which scenarios with one cause were down, derived from flips. */
export interface Incident {
  /** The flip that opened it. */
  readonly id: number;
  readonly environment: string;
  readonly cause: Cause;
  /** Its start: the earliest `since` of its scenarios. */
  readonly since: number;
  readonly until?: number;
  /** Every flip to down that belongs to it, in order. */
  readonly hits: readonly Flip[];
  /** Scenarios that are still down. */
  readonly open: readonly ScenarioRef[];
}

/** The latest hit of each scenario: one may have gone down more than once. */
export function latestHits({ hits }: Pick<Incident, 'hits'>): Flip[] {
  return [...new Map(hits.map((flip) => [flip.scenario.title, flip])).values()];
}

/** The latest hits of the scenarios that are still down. */
export function openHits(incident: Pick<Incident, 'hits' | 'open'>): Flip[] {
  return latestHits(incident).filter(({ scenario }) => incident.open.some(({ title }) => title === scenario.title));
}

/** Folds flips into incidents, both in order of their ids. */
export function incidentsOf(flips: Iterable<Flip>): Incident[] {
  const book = new IncidentBook();
  for (const flip of flips) book.add(flip);
  return [...book.all];
}

const name = ({ environment, title }: ScenarioRef) => `${environment}\n${title}`;

/** The same fold, one flip at a time. */
export class IncidentBook {
  readonly #byId = new Map<number, Incident>();
  readonly #openByCause = new Map<string, number>();
  readonly #openByScenario = new Map<string, number>();

  get all(): IterableIterator<Incident> {
    return this.#byId.values();
  }

  /** The incident that the flip opened, joined or left; none if the flip is not to or from down. */
  add(flip: Flip): Incident | undefined {
    if (flip.to === 'down') return this.#hit(flip);
    return flip.from === 'down' ? this.#leave(flip) : undefined;
  }

  #hit(flip: Flip): Incident {
    const { environment } = flip.scenario;
    const key = `${environment}\n${flip.cause.address}`;
    const known = this.#byId.get(this.#openByCause.get(key) ?? -1);
    const incident: Incident = known
      ? {
          ...known,
          since: Math.min(known.since, flip.since),
          hits: [...known.hits, flip],
          open: [...known.open, flip.scenario],
        }
      : { id: flip.id, environment, cause: flip.cause, since: flip.since, hits: [flip], open: [flip.scenario] };
    this.#openByCause.set(key, incident.id);
    this.#openByScenario.set(name(flip.scenario), incident.id);
    return this.#keep(incident);
  }

  #leave(flip: Flip): Incident | undefined {
    const known = this.#byId.get(this.#openByScenario.get(name(flip.scenario)) ?? -1);
    if (!known) return undefined;
    this.#openByScenario.delete(name(flip.scenario));
    const open = known.open.filter((scenario) => name(scenario) !== name(flip.scenario));
    if (open.length > 0) return this.#keep({ ...known, open });
    this.#openByCause.delete(`${known.environment}\n${known.cause.address}`);
    // A calendar that was set back can't end it before it began.
    return this.#keep({ ...known, open, until: Math.max(known.since, flip.since) });
  }

  #keep(incident: Incident): Incident {
    this.#byId.set(incident.id, incident);
    return incident;
  }
}
