import type { Cause, Flip, ScenarioRef } from './flip.ts';
import { isBadStatus } from './status.ts';

/** A span in which scenarios with one cause were down, could no longer run or be judged: a set of members, derived from flips. */
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

/** A scenario of an incident: how it last went into it, and how it left, if it did. */
export interface Member {
  readonly hit: Flip;
  readonly leave?: Flip;
}

const names = new WeakMap<ScenarioRef, string>();

/** Names a scenario; kept, because thousands are asked for with each flip of a large incident. */
export function nameOf(scenario: ScenarioRef): string {
  const before = names.get(scenario);
  if (before !== undefined) return before;
  const name = `${scenario.environment}\n${scenario.title}`;
  names.set(scenario, name);
  return name;
}

type Changes = Pick<Incident, 'hits' | 'leaves' | 'open'>;

interface Folded {
  readonly members: ReadonlyMap<string, Member>;
  readonly latest: Flip[];
  readonly open: Flip[];
}

/** Incidents are replaced and never changed, and asked for with every run. */
const known = new WeakMap<object, Folded>();

function folded(incident: Changes): Folded {
  const before = known.get(incident);
  if (before) return before;
  const open = new Set(incident.open.map(nameOf));
  const members = new Map<string, Member>();
  const isLeft = leftAfter(incident.leaves);
  for (const hit of incident.hits) members.set(nameOf(hit.scenario), { hit: withoutRecovered(hit, isLeft) });
  for (const leave of incident.leaves) {
    const name = nameOf(leave.scenario);
    const member = members.get(name);
    if (member && !open.has(name)) members.set(name, { ...member, leave });
  }
  const all = [...members.values()];
  const now = {
    members,
    latest: all.map(({ hit }) => hit),
    open: all.flatMap(({ hit, leave }) => (leave ? [] : [hit])),
  };
  known.set(incident, now);
  return now;
}

/** Tells whether an address, an area or an environment was seen to work again after a flip. */
function leftAfter(leaves: readonly Flip[]): (what: string, hit: Flip) => boolean {
  const last = new Map<string, number>();
  for (const { id, scenario, area, cause } of leaves)
    for (const what of [cause.address, `${scenario.environment} ${area}`, scenario.environment]) last.set(what, id);
  return (what, { id }) => (last.get(what) ?? 0) > id;
}

/** A flip without what was seen to fail with it and has recovered since; its own address, the first one, stays. */
function withoutRecovered(hit: Flip, isLeft: (what: string, hit: Flip) => boolean): Flip {
  const { pattern } = hit.cause;
  if (!pattern) return hit;
  const { others, ...rest } = pattern;
  const addresses = rest.addresses.filter((address, index) => index === 0 || !isLeft(address, hit));
  const named = others?.filter((environment) => !isLeft(environment, hit));
  if (addresses.length === rest.addresses.length && named?.length === others?.length) return hit;
  const { environment } = hit.scenario;
  const areas = rest.areas.filter((area) => area === hit.area || !isLeft(`${environment} ${area}`, hit));
  return {
    ...hit,
    cause: { ...hit.cause, pattern: { ...rest, addresses, areas, ...(named?.length ? { others: named } : {}) } },
  };
}

/** Every member of an incident by its name, in the order in which they first went into it. */
export function membersOf(incident: Changes): ReadonlyMap<string, Member> {
  return folded(incident).members;
}

/** The latest hit of each scenario: one may have gone down more than once. */
export function latestHits(incident: Changes): readonly Flip[] {
  return folded(incident).latest;
}

/** The latest hits of the scenarios that are still in it. */
export function openHits(incident: Changes): readonly Flip[] {
  return folded(incident).open;
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

/** What an incident is about: something is down, can no longer run, or can't be judged. */
export function familyOf({ kind }: Cause): 'down' | 'skipped' | 'unjudged' {
  return kind === 'skipped' || kind === 'unjudged' ? kind : 'down';
}

/** All incidents, folded from flips one by one. */
export class IncidentBook {
  readonly #byId = new Map<number, Incident>();
  readonly #open = new Map<number, Incident>();
  readonly #openByScenario = new Map<string, number>();
  readonly #hitsAt = new Map<string, number[]>();

  get all(): IterableIterator<Incident> {
    return this.#byId.values();
  }

  get open(): IterableIterator<Incident> {
    return this.#open.values();
  }

  get(id: number): Incident | undefined {
    return this.#byId.get(id);
  }

  /** The incident that a scenario is in now. */
  openOf(scenario: ScenarioRef): number | undefined {
    return this.#openByScenario.get(nameOf(scenario));
  }

  /** How often a scenario went into an incident from `since` on. */
  hitsFrom(scenario: ScenarioRef, since: number): number {
    return (this.#hitsAt.get(nameOf(scenario)) ?? []).filter((at) => at >= since).length;
  }

  /** The incidents that the flip left, opened or joined. */
  add(flip: Flip): Incident[] {
    const left = isBadStatus(flip.from) ? this.#leave(flip) : undefined;
    return [...(left ? [left] : []), ...(isBadStatus(flip.to) ? [this.#hit(flip)] : [])];
  }

  /** One that was over goes on where it is told as open and fails again. */
  #hit(flip: Flip): Incident {
    const before = this.#byId.get(flip.incident ?? this.#sameAddress(flip) ?? flip.id);
    const { environment } = flip.scenario;
    const name = nameOf(flip.scenario);
    this.#hitsAt.set(name, [...(this.#hitsAt.get(name) ?? []), flip.at].slice(-MOST_HITS));
    this.#openByScenario.set(name, before?.id ?? flip.id);
    if (!before)
      return this.#keep({
        id: flip.id,
        environment,
        cause: flip.cause,
        since: flip.since,
        hits: [flip],
        leaves: [],
        open: [flip.scenario],
      });
    const { until: _, ...going } = before;
    return this.#keep({
      ...going,
      since: Math.min(before.since, flip.since),
      hits: [...before.hits, flip],
      open: [...before.open, flip.scenario],
    });
  }

  /** Earlier versions wrote down no incident: one address was one. */
  #sameAddress({ scenario, cause }: Flip): number | undefined {
    for (const { id, environment, cause: of } of this.#open.values())
      if (environment === scenario.environment && of.address === cause.address) return id;
    return undefined;
  }

  #leave(flip: Flip): Incident | undefined {
    const name = nameOf(flip.scenario);
    const before = this.#open.get(this.#openByScenario.get(name) ?? -1);
    if (!before) return undefined;
    this.#openByScenario.delete(name);
    const open = before.open.filter((scenario) => nameOf(scenario) !== name);
    const leaves = [...before.leaves, flip];
    if (open.length > 0) return this.#keep({ ...before, leaves, open });
    // A calendar that was set back can't end it before it began.
    return this.#keep({ ...before, leaves, open, until: Math.max(before.since, flip.since) });
  }

  #keep(incident: Incident): Incident {
    this.#byId.set(incident.id, incident);
    if (incident.until === undefined) this.#open.set(incident.id, incident);
    else this.#open.delete(incident.id);
    return incident;
  }
}

/** Of each scenario, hits whose times are kept; more make no difference. */
const MOST_HITS = 16;
