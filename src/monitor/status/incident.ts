import type { Cause, Flip, ScenarioRef } from './flip.ts';

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
  /** Every flip into it, in order; only ever appended to. */
  readonly hits: readonly Flip[];
  /** Every flip out of it, in order; only ever appended to. */
  readonly leaves: readonly Flip[];
  /** Scenarios that are still in it. */
  readonly open: readonly ScenarioRef[];
}

/** A scenario of an incident: how it last went into it, and how it left, if it did. */
export interface Member {
  readonly hit: Flip;
  readonly leave?: Flip;
  /** Ids of all flips with which it went into it. */
  readonly hits: readonly number[];
}

const names = new WeakMap<ScenarioRef, string>();

/** Names a scenario; kept, because thousands are asked for with each look at a large incident. */
export function nameOf(scenario: ScenarioRef): string {
  const before = names.get(scenario);
  if (before !== undefined) return before;
  const name = `${scenario.environment}\n${scenario.title}`;
  names.set(scenario, name);
  return name;
}

type Changes = Pick<Incident, 'hits' | 'leaves'>;

interface Folded {
  /** Changes that were folded. */
  readonly changes: number;
  readonly members: ReadonlyMap<string, Member>;
  readonly latest: Flip[];
  readonly open: Flip[];
}

/** Flips are only appended, and asked for again and again. */
const known = new WeakMap<object, Folded>();

function folded({ hits, leaves }: Changes): Folded {
  const changes = hits.length + leaves.length;
  const before = known.get(hits);
  if (before?.changes === changes) return before;
  const members = new Map<string, { hit: Flip; leave?: Flip; readonly hits: number[] }>();
  const isLeft = leftAfter(leaves);
  for (const hit of hits) {
    const name = nameOf(hit.scenario);
    const member = members.get(name);
    if (member) member.hits.push(hit.id);
    members.set(name, { hit: withoutRecovered(hit, isLeft), hits: member?.hits ?? [hit.id] });
  }
  for (const leave of leaves) {
    const member = members.get(nameOf(leave.scenario));
    if (member && leave.id > member.hit.id) member.leave = leave;
  }
  const all = [...members.values()];
  const now = {
    changes,
    members,
    latest: all.map(({ hit }) => hit),
    open: all.flatMap(({ hit, leave }) => (leave ? [] : [hit])),
  };
  known.set(hits, now);
  return now;
}

/** Tells whether an address, an area or an environment was seen to work again after a flip. */
function leftAfter(leaves: readonly Flip[]): (what: string, hit: Flip) => boolean {
  const last = new Map<string, number>();
  for (const { id, scenario, area, cause } of leaves) {
    last.set(cause.address, id);
    last.set(`${scenario.environment} ${area}`, id);
    last.set(scenario.environment, id);
  }
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
